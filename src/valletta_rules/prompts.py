"""The prompts by themselves: every question that a player, or chance, is asked.

They are defined in `valletta_rules.agenda`, among the other steps that remain to be done.
"""

from valletta_rules.agenda import (
    ArchitectPrompt as ArchitectPrompt,
    ArtisanPrompt as ArtisanPrompt,
    BarrelPrompt as BarrelPrompt,
    BonusPrompt as BonusPrompt,
    ChancePrompt as ChancePrompt,
    DealPrompt as DealPrompt,
    DraftPrompt as DraftPrompt,
    DrawPrompt as DrawPrompt,
    MaidPrompt as MaidPrompt,
    MonkPrompt as MonkPrompt,
    NunPrompt as NunPrompt,
    PaymentPrompt as PaymentPrompt,
    PlayerPrompt as PlayerPrompt,
    PlayPrompt as PlayPrompt,
    Prompt as Prompt,
    SeamstressPrompt as SeamstressPrompt,
    SitePrompt as SitePrompt,
    TraderPrompt as TraderPrompt,
    ValettePrompt as ValettePrompt,
)
