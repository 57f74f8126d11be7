"""One name asked in two ways: the model under test as its own judge, with the judge's own parameters and address."""

import asyncio
from typing import Any

from bad_openai import says, serve
from langchain_core.messages import HumanMessage


def test_one_name_with_other_parameters_is_another_model(gateway: Any, served: Any, call: Any) -> None:
    async def ask(first: str, second: str) -> None:
        async with gateway() as calls:
            model = served(first)
            judge = model.model_copy(update={"parameters": {"temperature": 0.0}, "base_url": second})
            await calls.ask(call(model, [HumanMessage("Hello.")]))
            await calls.ask(call(judge, [HumanMessage("Judge.")]))

    with serve(lambda _: says("Yes.")) as one, serve(lambda _: says("Yes.")) as other:
        asyncio.run(ask(one.url, other.url))
    assert [request["temperature"] for request in one.requests] == [0.2]
    assert [request["temperature"] for request in other.requests] == [0.0]
