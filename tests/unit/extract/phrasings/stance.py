"""Sentences that deny or only suppose their claim, and sentences that look so and state it."""

NOT_STATED = (
    "The checkout outage did not happen because of the firewall upgrade.",
    "The login failure did not occur because of the DNS change.",
    "The firewall upgrade played no role in the checkout outage.",
    "We found no evidence that the DNS change caused the login failure.",
    "Mia denied that the upgrade caused the outage.",
    "It is a myth that the upgrade led to the outage.",
    "I doubt that the outage happened because of the upgrade.",
    "We first thought the outage began because of the upgrade.",
    "Wrong: the outage happened because of the upgrade.",
    "The importer crash hardly caused the late invoices.",
    "Suppose the DNS change caused the outage.",
    "Ben claims the DNS change caused the outage.",
    "I wonder if the login failed because the DNS was changed.",
    "Maybe the printers stopped because the fuse blew.",
    "Rumour has it that the upgrade caused the outage.",
    "Assuming the outage happened because of the upgrade, we roll back.",
    "Tom believes the printers stopped because of solar flares, but nobody agrees.",
    "Allegedly, the outage was caused by the upgrade.",
    "Ivo suspected that the firewall caused the payment crash, but the logs ruled it out.",
)

STATED = (
    "The backup did not run because the disk was full.",
    "Ana said that the deploy failed because the disk was full.",
    "The logs show that the leak caused the outage.",
    "We found that the outage was caused by the upgrade.",
    "The service could not start because the port was in use.",
    "The team thinks fast because it is small.",
    "The certificate expired, so logins failed.",
    "We rejected the plan because it was too slow.",
    "He doubted the plan because the budget was small.",
    "We decided to drop Kafka because nobody could operate it.",
    "Customers believe us because we publish the numbers.",
)
