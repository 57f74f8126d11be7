"""How what an answer names stands there: now, or stopped, denied, supposed, at home."""

import pytest
from judged import drug_names

from tools.grading.naming import named_in
from tools.grading.standing import Standing, lines, standing
from tools.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("answer", "stands"),
    [
        ("Apixaban 5 mg PO BID.", Standing.HOLDS),
        ("She is now on apixaban.", Standing.NOW),
        ("Heparin was stopped and replaced by apixaban.", Standing.NOW),
        ("Apixaban was stopped on 05-03.", Standing.GONE),
        ("Apixaban was switched to heparin.", Standing.GONE),
        ("Consider apixaban if she bleeds.", Standing.SUPPOSED),
        ("She is allergic to apixaban.", Standing.ALLERGY),
        ("Home medications:\n- apixaban 5 mg", Standing.HOME),
        ("It is possibly apixaban.", Standing.HEDGED),
        ("阿哌沙班5 mg bid。", Standing.HOLDS),
        ("现用利伐沙班，阿哌沙班已停。", Standing.GONE),
        ("入院时停了华法林，现改用阿哌沙班。", Standing.NOW),
        ("在家服用阿哌沙班。", Standing.HOME),
        ("在家服用阿哌沙班，住院后未续用。", Standing.GONE),
        ("若出血风险高可换成阿哌沙班。", Standing.SUPPOSED),
        ("患者对阿哌沙班过敏。", Standing.ALLERGY),
        ("未使用阿哌沙班。", Standing.DENIED),
        ("Apixaban would be an option.", Standing.SUPPOSED),
        ("阿哌沙班可考虑。", Standing.SUPPOSED),
        ("Apixaban at home, continued here.", Standing.HOLDS),
        ("在家服用阿哌沙班，住院后继续。", Standing.HOLDS),
        ("Apixaban is contraindicated.", Standing.HEDGED),
        ("阿哌沙班禁用。", Standing.HEDGED),
        ("Apixaban: stop.", Standing.HEDGED),
        ("阿哌沙班：停用。", Standing.HEDGED),
        ("Apixaban 5 mg BID, the tube feeding through her nose was stopped.", Standing.HEDGED),
        ("I recommend continuing the previously ordered apixaban.", Standing.HOLDS),
        ("建议继续原来的阿哌沙班。", Standing.HOLDS),
    ],
)
def test_a_drug_stands_as_it_is_said_to(answer: str, stands: Standing) -> None:
    vocabulary = Vocabulary.load()
    names = drug_names(vocabulary, "apixaban")
    found = []
    for line in lines(answer.replace("，", ",").replace("- ", "")):
        mentions = named_in(names, line.text, vocabulary)
        things = [mention.span for mention in mentions]
        found += [standing(line, mention.span, things) for mention in mentions if mention.wanted]
    assert found == [stands]
