"""German sentences to try a translator of lesson 11 on."""

# Everyday scenes, as on the photographs of Multi30k.
SENTENCES = (
    "Ein Hund läuft durch den Schnee.",
    "Zwei Kinder spielen am Strand.",
    "Eine Frau in einem roten Kleid liest ein Buch.",
    "Ein Mann mit einem Hut sitzt auf einer Bank.",
    "Drei Männer stehen vor einem Haus.",
    "Ein kleines Mädchen isst ein Eis.",
    "Eine Gruppe von Menschen wartet auf den Bus.",
    "Ein Junge springt in das Wasser.",
    "Ein Radfahrer fährt eine steile Straße hinunter.",
    "Eine alte Frau verkauft Obst auf dem Markt.",
    "Zwei Hunde spielen mit einem Ball auf der Wiese.",
    "Ein Mann in einem blauen Hemd spielt Gitarre.",
    "Ein Kind mit einer gelben Mütze baut einen Schneemann.",
    "Vier Leute sitzen an einem Tisch und essen zusammen.",
    "Eine junge Frau fotografiert einen Mann vor einem großen Gebäude.",
    "Ein Bauarbeiter steht auf einer Leiter und streicht eine Wand.",
)
