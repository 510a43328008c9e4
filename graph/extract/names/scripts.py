"""Names in scripts that the English model does not read: by quotation marks, titles, suffixes and capitals."""

import re
from collections.abc import Iterator

from graph.extract.names.seen import Seen
from graph.model.entities import EntityType

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_LINKS = "的在到是于与和了我你他她们就对从向把被给让去来过这那"
_CITIES = "北京|上海|广州|深圳|香港|台北|东京"
_RULES: tuple[tuple[re.Pattern[str], EntityType], ...] = (
    (re.compile(r"[《『「〈]([^《》『』「」〈〉\n]{1,40})[》』」〉]"), EntityType.OTHER),
    (re.compile(r"(?<![가-힣])([가-힣]{2,4})(?=\s?(?:씨|님|선생님|교수)(?![가-힣]{3}))"), EntityType.PERSON),
    (re.compile(rf"(?<![{_HAN}])([{_HAN}]{{1,4}})(?=さん|様|氏|くん|ちゃん|先生)"), EntityType.PERSON),
    (
        re.compile(
            r"([王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范"
            r"方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]"
            rf"[{_HAN}]{{1,2}})(?=先生|女士|老师|教授|经理|博士|总裁|医生|同学|说|表示|认为)"
        ),
        EntityType.PERSON,
    ),
    (
        re.compile(
            rf"((?:(?![{_LINKS}])[{_HAN}]){{2,8}}?(?:公司|大学|大學|银行|銀行|集团|集團|研究所|研究院|医院|株式会社|会社|委员会|協会))"
        ),
        EntityType.ORGANISATION,
    ),
    (re.compile(rf"(?:在|到|去|来自|位于)([{_HAN}]{{2,4}}?(?:省|市|县|区|州|岛|国)|{_CITIES})"), EntityType.LOCATION),
    (re.compile(rf"([{_HAN}]{{1,4}}?(?:都|府|県|市|区))(?=[にでへはをのから])"), EntityType.LOCATION),
    (re.compile(r"([\u30a1-\u30fa\u30fc]{3,20}(?:・[\u30a1-\u30fa\u30fc]{2,20}){0,3})"), EntityType.OTHER),
    (re.compile(r"(?<=[^\s.!?…][ ,«(\"])([А-ЯЁІЇЄҐ][а-яёіїєґ]{2,30}(?: [А-ЯЁІЇЄҐ][а-яёіїєґ]{1,30}){0,3})"), EntityType.OTHER),
    (re.compile(r"(?:\A|(?<=[.!?] ))([А-ЯЁІЇЄҐ][а-яёіїєґ]{2,30}(?: [А-ЯЁІЇЄҐ][а-яёіїєґ]{1,30}){1,3})"), EntityType.OTHER),
    (re.compile(r"(?<=[^\s.!?…][ ,«(\"])([Α-ΩΆΈΉΊΌΎΏ][α-ωά-ώς]{2,30}(?: [Α-ΩΆΈΉΊΌΎΏ][α-ωά-ώς]{1,30}){0,3})"), EntityType.OTHER),
)
OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u04ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


# Languages of Latin script that are not parsed. Where nouns bear capitals, a name is two of them or follows "in", "bei".
_LATIN_RUN = re.compile(
    r"(?<=[\w,;)»\"'’] )[A-ZÀ-ÖØ-Þ][\w’'-]{2,30}"
    r"(?: (?:(?:de|del|la|von|van|du|des|di|da|der) )?[A-ZÀ-ÖØ-Þ][\w’'-]{1,30}){0,3}"
)
_CAPITAL_NOUNS = re.compile(r"\b(?:und|der|die|das|nicht|ist|ich|wir|mit|für|auf)\b")
_BEFORE_NAME = re.compile(r"\b(?:in|aus|bei|nach|von|mit|herr|frau|dr|firma)\Z", re.IGNORECASE)


def latin_names(text: str) -> Iterator[Seen]:
    """Capital words inside a sentence of a language that is not parsed."""
    german = bool(_CAPITAL_NOUNS.search(text))
    for match in _LATIN_RUN.finditer(text):
        sure = " " in match.group() or _BEFORE_NAME.search(text[max(0, match.start() - 8) : match.start() - 1])
        if sure or not german:
            yield Seen(match.start(), match.end(), match.group(), EntityType.OTHER)


def other_script_names(text: str) -> Iterator[Seen]:
    """Names written in Han, Kana, Hangul, Cyrillic or Greek; may overlap, in order of rule."""
    if not OTHER_SCRIPT.search(text):
        return
    for pattern, kind in _RULES:
        for match in pattern.finditer(text):
            name = match.group(1).strip()
            if name and OTHER_SCRIPT.search(name):
                start = match.start(1) + (len(match.group(1)) - len(match.group(1).lstrip()))
                yield Seen(start, start + len(name), name, kind)
