"""Services by their words: what kind, which tests and services, of what part of the body."""

import pytest

from tools.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("CT abdomen/pelvis with contrast", {"imaging"}),
        ("Transthoracic echocardiogram", {"imaging"}),
        ("blood cultures x2", {"laboratory"}),
        ("repeat potassium", {"laboratory"}),
        ("K in 4 hours", {"laboratory"}),
        ("Digoxin level", {"laboratory"}),
        ("Dilantin level", {"laboratory"}),
        ("PT/INR", {"laboratory"}),
        ("Nephrology consult", {"consult"}),
        ("nephrology", {"consult"}),
        ("cardiology clinic follow-up", {"follow-up"}),
        ("12-lead EKG", {"diagnostic"}),
        ("ECGs", {"diagnostic"}),
        ("PT evaluation", {"therapy"}),
        ("evaluation", {"consult"}),
        ("outpatient hemodialysis", {"therapy"}),
        ("复查血钾", {"laboratory"}),
        ("肾内科会诊", {"consult"}),
        ("头颅CT检查", {"imaging"}),
    ],
)
def test_the_kind_is_told_by_the_words(text: str, kinds: set[str]):
    service = VOCABULARY.service(text)
    assert service is not None
    assert set(service.kinds) == kinds


@pytest.mark.parametrize("text", ["something nice", "lisinopril", "digoxin", "direct", "let us know", ""])
def test_what_is_no_service_is_none(text: str):
    assert VOCABULARY.service(text) is None


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [
        ("repeat potassium", "serum potassium level"),
        ("repeat potassium", "复查血钾"),
        ("复查血钾", "recheck K in 4 hours"),
        ("phenytoin level", "Dilantin level"),
        ("CT abdomen", "CT abdomen/pelvis with contrast"),
        ("CT head", "brain CT"),
        ("chest x-ray", "CXR"),
        ("CXR", "X-ray chest PA and lateral"),
        ("胸片", "chest radiograph"),
        ("liver function tests", "肝功能"),
        ("echocardiogram", "心脏超声"),
        ("physical therapy", "PT evaluation"),
        ("nephrology consult", "肾内科会诊"),
        ("ECG", "12-lead EKG"),
        ("输注红细胞", "输血（红细胞）"),
        ("glucose-6-phosphate dehydrogenase", "G6PD活性测定"),
        ("serum ketones", "酮体"),
        ("acute viral hepatitis serology", "病毒性肝炎标志物"),
        ("PF4 antibodies", "PF4抗体"),
        ("diabetes education", "糖尿病教育"),
        ("primary care follow-up", "社区门诊随访"),
        ("thyroid function", "甲功"),
        ("iron studies", "铁代谢检查"),
        ("orthostatic vital signs", "卧立位血压测量"),
    ],
)
def test_the_same_service_in_other_words(wanted: str, asked: str):
    found, service = VOCABULARY.service(wanted), VOCABULARY.service(asked)
    assert found is not None
    assert service is not None
    assert service.is_what(found)


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [
        ("repeat potassium", "urine potassium"),
        ("repeat potassium", "repeat sodium"),
        ("repeat potassium", "potassium and magnesium"),
        ("repeat potassium", "blood test"),
        ("CT abdomen", "CT head"),
        ("CT abdomen/pelvis", "CT abdomen"),
        ("CT head", "MRI head"),
        ("blood culture", "urine culture"),
        ("blood culture", "culture"),
        ("cardiology consult", "cardiology follow-up"),
        ("cardiology consult", "nephrology consult"),
        ("nephrology consult", "consult"),
        ("echocardiogram", "ECG"),
        ("输注红细胞", "红细胞计数"),
        ("transesophageal echocardiography", "transthoracic echocardiography"),
        ("glucose-6-phosphate dehydrogenase", "glucose"),
        ("葡萄糖-6-磷酸脱氢酶检测", "复查血糖"),
    ],
)
def test_another_service_is_another(wanted: str, asked: str):
    found, service = VOCABULARY.service(wanted), VOCABULARY.service(asked)
    assert found is not None
    assert service is not None
    assert not service.is_what(found)
