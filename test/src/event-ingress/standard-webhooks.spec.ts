import { currentTime } from '@countersign/testing';
import { createHmac, randomUUID } from 'node:crypto';
import type { JsonObject } from '@countersign/core';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  buildEvent,
  Ingress,
  SECRET,
  buildSignedRequest,
  withHeader,
  type WebhookRequest,
} from './ingress.spec.support.js';

const KEY = `whsec_${Buffer.from('the key of the works, in base64').toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.from('the next key of the works, in base64').toString('base64')}`;

interface SigningOptions {
  readonly source?: string;
  readonly secrets?: readonly string[];
  readonly id?: string;
  readonly at?: Date;
}

/** Returns a request signed by the Standard Webhooks library. */
function buildStandardWebhook(
  body: Buffer,
  { source = 'works', secrets = [KEY], id = randomUUID(), at = new Date(currentTime()) }: SigningOptions = {},
): WebhookRequest {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body.toString()));
  return {
    body,
    headers: [
      ['X-Service-Source', source],
      ['webhook-id', id],
      ['webhook-timestamp', String(Math.floor(at.getTime() / 1000))],
      ['webhook-signature', signatures.join(' ')],
    ],
  };
}

const minutesFromNow = (minutes: number): Date => new Date(currentTime() + minutes * 60_000);

describe('the event ingress with Standard Webhooks', () => {
  let ingress: Ingress;
  let secondIngress: Ingress;

  before(async () => {
    const sources: JsonObject[] = [
      { Id: 'works', Secret: KEY },
      { Id: 'moving', Secret: NEXT_SECRET, PreviousSecret: KEY },
      { Id: 'strict', Secret: KEY, RequireStandardWebhooks: true },
      { Id: 'once', Secret: KEY, RejectReplayedBodies: true },
      { Id: 'disabled', Secret: '' },
    ];
    ingress = await Ingress.create(sources);
    secondIngress = await Ingress.create(sources, { shareDataWith: ingress.server });
  });

  after(async () => {
    await secondIngress.close();
    await ingress.close();
  });

  it('should resume the waiting run', async () => {
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const { status, body } = await ingress.post(buildStandardWebhook(buildEvent(key)));
    expect([status, body['resumed'], body['runId']]).to.deep.equal([200, true, runId]);
  });

  it('should accept an id once across servers, even with a new timestamp and signature', async () => {
    const [key, id] = [randomUUID(), randomUUID()];
    const body = buildEvent(key);
    await ingress.startWaitingRun(key);
    await ingress.startWaitingRun(key);
    const first = await ingress.post(buildStandardWebhook(body, { id, at: minutesFromNow(-2) }));
    for (const each of [ingress, secondIngress])
      expect((await each.post(buildStandardWebhook(body, { id }))).body).to.deep.equal({
        ...first.body,
        duplicate: true,
      });
    const responses = await Promise.all(
      [ingress, secondIngress, ingress, secondIngress].map((each) =>
        each.post(buildStandardWebhook(body, { id: `${id}-2` })),
      ),
    );
    expect(responses.filter((response) => response.body['duplicate'] === false)).to.have.length(1);
  });

  it('should accept the same body again under another signed id', async () => {
    for (const source of ['works', 'once']) {
      const body = buildEvent(randomUUID());
      await ingress.post(buildStandardWebhook(body, { source }));
      expect((await ingress.post(buildStandardWebhook(body, { source }))).body, source).to.include({
        duplicate: false,
      });
    }
  });

  it('should accept a delivery if any of its signatures matches the current or the previous secret', async () => {
    for (const secrets of [[KEY], [NEXT_SECRET], [KEY, NEXT_SECRET], [NEXT_SECRET, 'whsec_AAAA', KEY]]) {
      expect(
        (await ingress.post(buildStandardWebhook(buildEvent(randomUUID()), { source: 'moving', secrets }))).status,
        secrets.join(),
      ).to.equal(200);
    }
    const sent = buildStandardWebhook(buildEvent(randomUUID()));
    const [, signature] = sent.headers[3] ?? [];
    expect((await ingress.post(withHeader(sent, 'webhook-signature', `v1a,AAAA v1,no ${signature}`))).status).to.equal(
      200,
    );
  });

  it('should use the bytes of a secret that is not a Standard Webhooks key', async () => {
    const [body, id, timestamp] = [buildEvent(randomUUID()), randomUUID(), String(Math.floor(currentTime() / 1000))];
    const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const headers = [
      ['X-Service-Source', 'shop'],
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', `v1,${signature}`],
    ] as const;
    expect((await ingress.post({ body, headers })).status).to.equal(200);
  });

  it('should send the same response for old, future, changed and unsigned deliveries', async () => {
    const sent = buildStandardWebhook(buildEvent(randomUUID()));
    const otherRequest = buildStandardWebhook(buildEvent(randomUUID()));
    const bodySignedRequest = buildSignedRequest(sent.body, { source: 'works', secret: KEY });
    const refusedRequests: Record<string, WebhookRequest> = {
      'old': buildStandardWebhook(sent.body, { at: minutesFromNow(-6) }),
      'from the future': buildStandardWebhook(sent.body, { at: minutesFromNow(6) }),
      'another time': withHeader(sent, 'webhook-timestamp', String(Math.floor(currentTime() / 1000) + 1)),
      'not a whole number': withHeader(sent, 'webhook-timestamp', `${Math.floor(currentTime() / 1000)}.0`),
      'another id': withHeader(sent, 'webhook-id', randomUUID()),
      'no id': withHeader(sent, 'webhook-id', null),
      'no time': withHeader(sent, 'webhook-timestamp', null),
      'no signature': withHeader(sent, 'webhook-signature', null),
      'another body': { ...sent, body: otherRequest.body },
      'another secret': buildStandardWebhook(sent.body, { secrets: [NEXT_SECRET] }),
      'another source': withHeader(sent, 'X-Service-Source', 'shop'),
      'an unknown source': withHeader(sent, 'X-Service-Source', 'nobody'),
      'a disabled source': withHeader(sent, 'X-Service-Source', 'disabled'),
      'no source': withHeader(sent, 'X-Service-Source', null),
      'two ids': { ...sent, headers: [...sent.headers, ['webhook-id', randomUUID()]] },
      'an empty id': buildStandardWebhook(sent.body, { id: '' }),
      'a long id': buildStandardWebhook(sent.body, { id: 'x'.repeat(201) }),
      'an invalid signature next to a valid one of the other kind': {
        ...bodySignedRequest,
        headers: [...bodySignedRequest.headers, ['webhook-signature', 'v1,AAAA']],
      },
      'the other kind, which the source does not accept': buildSignedRequest(sent.body, {
        source: 'strict',
        secret: KEY,
      }),
    };
    const { detail } = (await ingress.post(refusedRequests['old'] as WebhookRequest)).body;
    for (const [caseName, each] of Object.entries(refusedRequests)) {
      const { status, body } = await ingress.post(each);
      expect([status, body['code'], body['detail']], caseName).to.deep.equal([401, 'invalid_signature', detail]);
    }
    expect((await ingress.post(sent)).body, 'the refused requests did not claim the id').to.include({
      duplicate: false,
    });
    expect((await ingress.post(buildStandardWebhook(sent.body, { source: 'strict' }))).status).to.equal(200);
  });

  it('should distinguish a signed id from an equal unsigned delivery id', async () => {
    const id = randomUUID();
    const unsigned = await ingress.post(
      buildSignedRequest(buildEvent(randomUUID()), { source: 'works', secret: KEY, delivery: id }),
    );
    expect(unsigned.body).to.include({ duplicate: false });
    expect((await ingress.post(buildStandardWebhook(buildEvent(randomUUID()), { id }))).body).to.include({
      duplicate: false,
    });
  });
});
