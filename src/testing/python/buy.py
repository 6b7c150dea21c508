"""A purchase by a generated client. Uses only the OpenAPI description."""

import json
import sys
import time

from client import AuthenticatedClient, Client
from client.api.admin import log_in
from client.api.complete_payment import approve_order
from client.api.crypto import open_crypto_payment
from client.api.orders import get_order, place_order
from client.api.payment_settings import get_settings
from client.api.process_order import hand_over_order
from client.models import CryptoPaymentCreate, LoginRequest, OrderCreate, OrderCreatePaymentMethodType0, OrderReference

url, password = sys.argv[1:]
shop = Client(base_url=url)
settings = get_settings.sync(client=shop)
total = f"{60 * settings.base_price_per_million * (1 - settings.pack_2_discount / 100):.2f}"
order = OrderCreate(
    customer_email="ash@example.com",
    discord_username="ash",
    market_id="12345678",
    pokecoin_amount=60,
    total_amount=total,
    payment_method=OrderCreatePaymentMethodType0.CRYPTO,
)
placed = place_order.sync(client=shop, body=order, idempotency_key="one")
payment = open_crypto_payment.sync(client=shop, body=CryptoPaymentCreate(amount=total, order_id=placed.id))
assert payment.payment_status == "waiting", payment
while get_order.sync(placed.id, client=shop).ready is None:
    time.sleep(0.1)
asked = OrderReference(order_id=placed.id)
assert approve_order.sync_detailed(client=shop, body=asked).status_code == 401
token = log_in.sync(client=shop, body=LoginRequest(email="owner@localhost", password=password)).token
hand_over_order.sync(client=AuthenticatedClient(base_url=url, token=token), body=asked)
done = get_order.sync(placed.id, client=shop)
print(json.dumps([done.status, done.ended_as, done.pokecoin_amount]))
