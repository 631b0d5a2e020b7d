import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import {
  buildEvent,
  Ingress,
  SECRET,
  getVisibleParts,
  buildSignature,
  buildSignedRequest,
  withHeader,
  type HttpResponse,
  type WebhookRequest,
} from './ingress.spec.support.js';

const PREVIOUS_SECRET = 'the previous secret of the mill';

describe('the event ingress', () => {
  let ingress: Ingress;

  before(async () => {
    ingress = await Ingress.create([
      { Id: 'disabled', Secret: '', PreviousSecret: SECRET },
      { Id: 'mill', Secret: 'the current secret of the mill', PreviousSecret: PREVIOUS_SECRET },
      { Id: 'narrow', Secret: SECRET, AllowedMessageNames: ['ci.failed'] },
      { Id: 'mute', Secret: SECRET, AllowedMessageNames: [] },
      { Id: 'once', Secret: SECRET, RejectReplayedBodies: true },
      { Id: 'bank', Secret: SECRET, InexactNumbers: 'text' },
      { Id: 'patient', Secret: SECRET, BufferFor: { 'ci.passed': 'PT1H' } },
    ]);
  });

  after(() => ingress.close());

  it('should resume the waiting run with the payload as its inputs and variables', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);

    // when
    const { status, body } = await ingress.post(buildSignedRequest(buildEvent(key, 'ci.passed', { build: 7 })));

    // then
    const { eventId, ...rest } = body;
    expect(status).to.equal(200);
    expect(eventId).to.be.a('string');
    expect(rest).to.deep.equal({
      resumed: true,
      duplicate: false,
      runId,
      runIds: [runId],
      startedRunIds: [],
      buffered: false,
      messageName: 'ci.passed',
      correlationKey: key,
    });
    const client = await ingress.server.client('viewer');
    expect(await client.getRun({ runId })).to.deep.include({
      outcome: 'completed',
      inputs: { key, build: 7 },
      variables: { key, build: 7 },
    });
  });

  it('should pass numbers that a variable cannot hold as strings if the source is configured so', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const text = buildEvent(key, 'ci.passed', { account: 'A', amount: 12.5 }).toString();

    // when
    const { status } = await ingress.post(
      buildSignedRequest(Buffer.from(text.replace('"A"', '8202522731445525542')), { source: 'bank' }),
    );

    // then
    expect(status).to.equal(200);
    const client = await ingress.server.client('viewer');
    expect((await client.getRun({ runId })).variables).to.deep.equal({
      key,
      account: '8202522731445525542',
      amount: 12.5,
    });
  });

  it('should record an unmatched event, and buffer it only if the source configures BufferFor', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    expect((await ingress.post(buildSignedRequest(buildEvent(key)))).body).to.include({
      resumed: false,
      runId: null,
      buffered: false,
    });
    expect((await ingress.post(buildSignedRequest(buildEvent(other), { source: 'patient' }))).body).to.include({
      resumed: false,
      runId: null,
      buffered: true,
    });

    const [lateRunId, earlyRunId] = [await ingress.startWaitingRun(key), await ingress.startWaitingRun(other)];

    const client = await ingress.server.client('viewer');
    for await (const event of client.streamRunEvents({ runId: earlyRunId })) if (event.type === 'run.completed') break;
    expect((await ingress.requireRun(lateRunId)).outcome).to.equal(null);
  });

  it('should accept a delivery id once per source, and repeat the first response for a duplicate', async () => {
    const key = randomUUID();
    const [firstRunId, secondRunId] = [await ingress.startWaitingRun(key), await ingress.startWaitingRun(key)];
    const sent = buildSignedRequest(buildEvent(key), { delivery: key });

    const [firstResponse, secondResponse, other] = [
      await ingress.post(sent),
      await ingress.post(sent),
      await ingress.post(
        buildSignedRequest(buildEvent(key), { source: 'mill', secret: PREVIOUS_SECRET, delivery: key }),
      ),
    ];

    expect(firstResponse.body).to.deep.include({ resumed: true, duplicate: false, runIds: [firstRunId] });
    expect(secondResponse).to.deep.include({ status: 200, body: { ...firstResponse.body, duplicate: true } });
    expect(other.body).to.deep.include({ resumed: true, duplicate: false, runIds: [secondRunId] });
  });

  it('should accept a body without delivery id once, whichever secret signs the repeats', async () => {
    const key = randomUUID();
    const body = buildEvent(key);
    const original = await ingress.post(
      buildSignedRequest(body, { source: 'mill', secret: PREVIOUS_SECRET, delivery: null }),
    );
    expect(original.body).to.include({ duplicate: false });

    for (const secret of [PREVIOUS_SECRET, 'the current secret of the mill']) {
      expect(
        (await ingress.post(buildSignedRequest(body, { source: 'mill', secret, delivery: null }))).body,
      ).to.deep.equal({
        ...original.body,
        duplicate: true,
      });
    }
    expect(
      (await ingress.post(buildSignedRequest(body, { source: 'mill', secret: PREVIOUS_SECRET }))).body,
      'with an added delivery id',
    ).to.deep.equal({ ...original.body, duplicate: true });
  });

  it('should accept a body once with RejectReplayedBodies, regardless of its delivery id', async () => {
    const body = buildEvent(randomUUID());
    const [firstResponse, secondResponse] = [
      await ingress.post(buildSignedRequest(body, { source: 'once' })),
      await ingress.post(buildSignedRequest(body, { source: 'once' })),
    ];
    expect(secondResponse.body).to.deep.equal({ ...firstResponse.body, duplicate: true });
  });

  it('should treat a delivery with an upper-case signature as a duplicate of the lower-case one', async () => {
    // given
    const lowerCaseRequest = buildSignedRequest(buildEvent(randomUUID()), { delivery: null });
    const upperCaseSignature = buildSignature(lowerCaseRequest.body).toUpperCase().replace('SHA256', 'sha256');

    // when
    const [firstResponse, secondResponse] = [
      await ingress.post(withHeader(lowerCaseRequest, 'X-Service-Signature-256', upperCaseSignature)),
      await ingress.post(lowerCaseRequest),
    ];

    // then
    expect(firstResponse.body).to.include({ duplicate: false });
    expect(secondResponse.body).to.deep.equal({ ...firstResponse.body, duplicate: true });
  });

  it('should refuse messages that the source may not deliver, and resume no run', async () => {
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const sent = (source: string): WebhookRequest => buildSignedRequest(buildEvent(key), { source, delivery: key });
    for (const source of ['narrow', 'mute']) {
      const { status, body } = await ingress.post(sent(source));
      expect([status, body['code']], source).to.deep.equal([403, 'message_not_allowed']);
    }
    expect((await ingress.requireRun(runId)).outcome).to.equal(null);
    // The refused delivery did not claim its id.
    expect(
      (await ingress.post(buildSignedRequest(buildEvent(key, 'ci.failed'), { source: 'narrow', delivery: key }))).body,
    ).to.include({ duplicate: false });
  });

  it('should refuse a payload with a reserved approval variable, and accept the same delivery id afterwards', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key, 'approving');
    const event = (payload: { approval?: string }) =>
      buildSignedRequest(buildEvent(key, 'review.started', payload), { delivery: key });

    // when
    const refusedResponse = await ingress.post(event({ approval: 'approve' }));

    // then
    expect([refusedResponse.status, refusedResponse.body['code']]).to.deep.equal([422, 'result_variable_reserved']);
    expect((await ingress.requireRun(runId)).waitingFor.map(({ kind }) => kind)).to.deep.equal(['event']);
    expect((await ingress.post(event({}))).body).to.deep.include({ resumed: true, duplicate: false, runIds: [runId] });
  });

  it('should refuse every signed body that is not a valid event, and accept the same delivery id afterwards', async () => {
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const event = (extraMembers: string): string =>
      `{"messageName":"ci.passed","correlationKey":"${key}"${extraMembers}}`;
    const bodies: Record<string, Buffer | string> = {
      'an empty body': '',
      'not JSON': 'ci.passed',
      'a truncated event': event(',"payload":{}').slice(0, -1),
      'a byte order mark': `\ufeff${event(',"payload":{}')}`,
      'invalid UTF-8': Buffer.concat([
        Buffer.from(event(',"payload":{"a":"')).subarray(0, -1),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}}'),
      ]),
      'half of a surrogate pair': event(',"payload":{"a":"\\ud800"}'),
      'a NUL': event(',"payload":{"a":"\\u0000"}'),
      'an infinite number': event(',"payload":{"a":1e999}'),
      'a list': '[]',
      'null': 'null',
      'no payload': event(''),
      'a payload that is a list': event(',"payload":[]'),
      'an unknown field': event(',"payload":{},"runId":"1"'),
      'an empty key': event(',"payload":{}').replace(key, ''),
      'a long key': event(',"payload":{}').replace(key, 'x'.repeat(256)),
      'a name that is a number': event(',"payload":{}').replace('"ci.passed"', '7'),
      '__proto__ in the payload': event(',"payload":{"__proto__":{"polluted":true}}'),
      '__proto__ beside the payload': event(',"payload":{},"__proto__":{}'),
      'constructor': event(',"payload":{"a":{"constructor":{"prototype":{}}}}'),
      'prototype': event(',"payload":{"a":[{"prototype":1}]}'),
      'a number that a variable cannot hold': event(',"payload":{"account":9007199254740993}'),
      'a number beyond the range of a double': event(',"payload":{"amount":1e400}'),
      'deep lists': event(`,"payload":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      'deep objects': event(`,"payload":${'{"a":'.repeat(65)}1${'}'.repeat(65)}`),
    };
    for (const [caseName, body] of Object.entries(bodies)) {
      const { status, body: problem } = await ingress.post(buildSignedRequest(Buffer.from(body), { delivery: key }));
      expect([status, problem['code']], caseName).to.deep.equal([400, 'invalid_event']);
    }
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
    expect((await ingress.requireRun(runId)).outcome).to.equal(null);
    expect((await ingress.post(buildSignedRequest(buildEvent(key), { delivery: key }))).body).to.include({
      resumed: true,
      duplicate: false,
    });
  });

  it('should refuse empty, repeated, non-ASCII and overlong delivery ids', async () => {
    const sent = buildSignedRequest(buildEvent(randomUUID()));
    const cases: Record<string, WebhookRequest> = {
      'empty': withHeader(sent, 'X-Service-Delivery', ''),
      'twice': { ...sent, headers: [...sent.headers, ['x-service-delivery', 'another']] },
      'not ASCII': withHeader(sent, 'X-Service-Delivery', 'd\u00e9livery'),
      'long': withHeader(sent, 'X-Service-Delivery', 'x'.repeat(256)),
    };
    for (const [caseName, each] of Object.entries(cases)) {
      const { status, body } = await ingress.post(each);
      expect([status, body['code']], caseName).to.deep.equal([400, 'invalid_event']);
    }
    expect((await ingress.post(withHeader(sent, 'X-Service-Delivery', 'x'.repeat(255)))).status).to.equal(200);
  });

  it('should accept chunked bodies and header variations that HTTP allows', async () => {
    const sent = buildSignedRequest(buildEvent(randomUUID()));
    expect(
      (
        await ingress.post({
          ...sent,
          headers: sent.headers.map(([name, value]) => [name.toUpperCase(), value] as const),
        })
      ).body,
    ).to.include({ duplicate: false });
    const repeatedResponses: HttpResponse[] = [
      await ingress.post({ ...sent, chunked: true }),
      await ingress.post({
        ...sent,
        headers: sent.headers.map(([name, value]) => [name.toLowerCase(), `  ${value}\t`] as const),
      }),
      await ingress.post(withHeader(sent, 'Content-Type', 'text/plain')),
    ];
    for (const { status, body } of repeatedResponses) expect([status, body['duplicate']]).to.deep.equal([200, true]);
  });

  it('should refuse bodies that are too large or compressed', async () => {
    const largeRequest = buildSignedRequest(Buffer.alloc(1_048_577, 0x20));
    const encodedRequest = buildSignedRequest(Buffer.from('gzip'));
    expect((await ingress.post(largeRequest)).body).to.include({ status: 413, code: 'payload_too_large' });
    expect((await ingress.post({ ...largeRequest, chunked: true })).body).to.include({
      status: 413,
      code: 'payload_too_large',
    });
    expect((await ingress.post(withHeader(encodedRequest, 'Content-Encoding', 'gzip'))).body).to.include({
      status: 415,
      code: 'unsupported_media_type',
    });
    expect(
      (
        await ingress.post(
          buildSignedRequest(Buffer.from(`${buildEvent(randomUUID()).toString()}${' '.repeat(1_000_000)}`)),
        )
      ).status,
    ).to.equal(200);
  });

  it('should send the same response as for an unknown source if the source or the signature is invalid', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const body = buildEvent(key);
    const sent = buildSignedRequest(body);
    const signature = buildSignature(body);
    const withSignature = (value: string | null): WebhookRequest => withHeader(sent, 'X-Service-Signature-256', value);
    const unknownSourceResponse = getVisibleParts(await ingress.post(buildSignedRequest(body, { source: 'nobody' })));

    // when
    const cases: Record<string, WebhookRequest> = {
      'a disabled source': buildSignedRequest(body, { source: 'disabled' }),
      'a disabled source, signed with an empty secret': buildSignedRequest(body, { source: 'disabled', secret: '' }),
      'another secret': buildSignedRequest(body, { secret: 'another' }),
      'the secret of another source': buildSignedRequest(body, { source: 'mill' }),
      'an empty secret': buildSignedRequest(body, { secret: '' }),
      'no source': withHeader(sent, 'X-Service-Source', null),
      'an empty source': withHeader(sent, 'X-Service-Source', ''),
      'a source in other case': withHeader(sent, 'X-Service-Source', 'Shop'),
      'the name of a method': withHeader(sent, 'X-Service-Source', 'constructor'),
      'two sources': { ...sent, headers: [...sent.headers, ['x-service-source', 'shop']] },
      'no signature': withSignature(null),
      'an empty signature': withSignature(''),
      'nothing but the prefix': withSignature('sha256='),
      'an upper-case prefix': withSignature(signature.replace('sha256', 'SHA256')),
      'no prefix': withSignature(signature.slice(7)),
      'another prefix': withSignature(signature.replace('sha256', 'sha1')),
      'truncated': withSignature(signature.slice(0, -1)),
      'truncated by a byte': withSignature(signature.slice(0, -2)),
      'longer': withSignature(`${signature}0`),
      'not hexadecimal': withSignature(`sha256=${'z'.repeat(64)}`),
      'base64': withSignature(`sha256=${Buffer.from(signature.slice(7), 'hex').toString('base64')}`),
      'two signatures in one': withSignature(`${signature}, ${signature}`),
      'two signatures': { ...sent, headers: [...sent.headers, ['X-Service-Signature-256', signature]] },
      'a body with other spacing': { ...sent, body: Buffer.from(body.toString().replace(':', ': ')) },
      'no body': { ...sent, body: Buffer.alloc(0) },
      'not an event, and an invalid signature': buildSignedRequest(Buffer.from('rubbish'), { secret: 'another' }),
      'not allowed, and an invalid signature': buildSignedRequest(body, { source: 'mute', secret: 'another' }),
      'an invalid id, and an invalid signature': {
        ...buildSignedRequest(body, { secret: 'another' }),
        headers: [...buildSignedRequest(body, { secret: 'another' }).headers, ['X-Service-Delivery', '']],
      },
    };

    // then
    expect(unknownSourceResponse).to.have.property('status', 401);
    for (const [caseName, each] of Object.entries(cases))
      expect(getVisibleParts(await ingress.post(each)), caseName).to.deep.equal(unknownSourceResponse);
    expect((await ingress.requireRun(runId)).outcome).to.equal(null);
    expect((await ingress.post(sent)).body).to.include({ resumed: true, duplicate: false });
  });

  it('should send the same response as for an unknown source if any bit of a signed request is flipped', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const sent = buildSignedRequest(buildEvent(key), { delivery: null });
    const unknownSourceResponse = getVisibleParts(
      await ingress.post({ ...sent, headers: [['X-Service-Source', 'nobody'], sent.headers[1] ?? expect.fail()] }),
    );
    const flippedRequests: WebhookRequest[] = [];
    for (let at = 0; at < sent.body.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const body = Buffer.from(sent.body);
        body[at] = (body[at] ?? 0) ^ (1 << bit);
        flippedRequests.push({ ...sent, body });
      }
    }
    for (const [index, header] of sent.headers.entries()) {
      for (const part of [0, 1] as const) {
        for (let at = 0; at < header[part].length; at += 1) {
          for (let bit = 0; bit < 7; bit += 1) {
            const text =
              header[part].slice(0, at) +
              String.fromCharCode(header[part].charCodeAt(at) ^ (1 << bit)) +
              header[part].slice(at + 1);
            // The case of header names and hex digits is not significant. Any other difference changes or breaks the
            // message (RFC 9110, 5).
            const isDigit = header[0] === 'X-Service-Signature-256' && at >= 'sha256='.length;
            const isDifferent =
              part === 0
                ? text.toLowerCase() !== header[0].toLowerCase() && /^[\w!#$%&'*+.^`|~-]+$/.test(text)
                : /^[!-~]+$/.test(text) && !(isDigit && text.toLowerCase() === header[1].toLowerCase());
            if (isDifferent)
              flippedRequests.push({
                ...sent,
                headers: sent.headers.with(index, part === 0 ? [text, header[1]] : [header[0], text]),
              });
          }
        }
      }
    }

    // when
    const responses = await Promise.all(flippedRequests.map((each) => ingress.post(each)));

    // then
    expect(responses.length).to.be.greaterThan(1_000);
    for (const [index, response] of responses.entries()) {
      const { body, headers } = flippedRequests[index] ?? expect.fail();
      expect(getVisibleParts(response), `${body.toString('latin1')} ${JSON.stringify(headers)}`).to.deep.equal(
        unknownSourceResponse,
      );
    }
    expect((await ingress.requireRun(runId)).outcome).to.equal(null);
    expect((await ingress.post(sent)).body).to.include({ resumed: true, duplicate: false });
  });
});
