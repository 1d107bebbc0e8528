"""What language a text is said to be in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.text.function_words import FUNCTION_WORDS
from hipocampus.text.languages import SNOWBALL, detect, stemmed_as

SENTENCES = {
    "en": "We moved the rate limiter into its own module because the tests were slow.",
    "de": "Wir haben den Fehler im Server gefunden und die Verbindung wird jetzt früher geschlossen.",
    "fr": "Nous avons déplacé la configuration dans un fichier et les tests sont plus rapides.",
    "es": "Hemos movido la configuración a un archivo y las pruebas son más rápidas.",
    "it": "Abbiamo spostato la configurazione in un file e non è più lenta di prima.",
    "pt": "Nós movemos a configuração para um arquivo e os testes não são mais lentos.",
    "nl": "We hebben de instellingen naar een bestand verplaatst en het is nu sneller dan eerst.",
    "sv": "Vi har flyttat inställningarna till en fil och det är mycket snabbare än för en vecka sedan.",
    "da": "Vi har flyttet indstillingerne til en fil, og jeg ved ikke hvad der blev af den efter mødet.",
    "no": "Vi har flyttet innstillingene til en fil, og jeg vet ikke hva som ble av den etter møtet.",
    "fi": "Siirsimme asetukset tiedostoon, koska se on nopeampi kuin ennen ja niin voi tehdä myös muualla.",
    "hu": "A beállítások egy fájlba kerültek, mert ez gyorsabb és nem kell minden alkalommal újra.",
    "ro": "Am mutat configurația într-un fișier pentru că este mai rapid și nu se mai pierde.",
    "pl": "Ustawienia są teraz w pliku, bo tak jest szybciej i nie trzeba ich już podawać.",
    "cs": "Nastavení je nyní v souboru, protože to je rychlejší a už se neztratí, když se vypne.",
    "tr": "Ayarlar bir dosyaya taşındı çünkü bu daha hızlı ve her seferinde sorun yok.",
    "ru": "Мы перенесли настройки в файл, и тесты стали быстрее.",
    "el": "Μεταφέραμε τις ρυθμίσεις σε ένα αρχείο και είναι πιο γρήγορο.",
    "ar": "نقلنا الإعدادات إلى ملف وأصبحت الاختبارات أسرع",
    "hi": "हमने सेटिंग एक फ़ाइल में रखी है और अब यह तेज़ है",
}


@pytest.mark.parametrize("code", SNOWBALL)
def test_a_sentence_of_each_language_is_recognised(code: str):
    assert detect(SENTENCES[code]) == code


@pytest.mark.parametrize(
    "note",
    [
        "fix: retry in api/limit.py, no de-dup of keys",
        "- decisions: token bucket over leaky bucket, because bursts are legitimate",
        "TODO do not merge; see #12",
        "cafés and naïve résumés are what we have in the list",
    ],
)
def test_a_terse_english_note_is_english_or_unknown(note: str):
    assert detect(note) in ("en", "")


@pytest.mark.parametrize(
    "text", ["", "   ", "캐시를 지우고 재시작", "文字コード", "x = f(y)", "Лист їй і йому", "שלום עולם", "42"]
)
def test_what_no_stemmer_fits_is_unknown(text: str):
    assert detect(text) == ""


def test_a_short_german_query_is_german():
    assert detect("Fehler im Server") == "de"


def test_only_the_beginning_of_a_text_is_looked_at():
    assert detect(SENTENCES["de"] + " " * 2000 + SENTENCES["en"] * 50) == "de"


def test_a_word_goes_to_the_stemmer_of_its_script():
    assert stemmed_as("errors", "ru") == "en"
    assert stemmed_as("ошибки", "en") == "ru"
    assert stemmed_as("fehler", "de") == "de"
    assert stemmed_as("캐시", "en") == ""


def test_every_language_with_function_words_has_a_stemmer():
    assert set(FUNCTION_WORDS) <= set(SNOWBALL)


@given(st.text(st.characters(codec=None)))
def test_any_text_has_a_known_language_or_none(text: str):
    assert detect(text) in {"", *SNOWBALL}
