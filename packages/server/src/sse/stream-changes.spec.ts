import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Change } from '@countersign/core';
import { expect } from 'chai';
import Koa from 'koa';
import type { RouteContext } from '../app/route-context.js';
import type { Services } from '../app/services.js';
import { ANONYMOUS } from '../auth/principal.js';
import { ChangeFeedPoller } from './change-feed-poller.js';
import { StreamRegistry } from './stream-registry.js';
import { streamChanges } from './stream-changes.js';

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('streamChanges()', () => {
  const changes: Change[] = [];
  let absences = '0';
  const streams = new StreamRegistry(() => undefined);
  let server: Server;
  let url: string;

  function addChanges(count: number): void {
    for (let index = 0; index < count; index += 1) {
      changes.push({
        runId: 'r',
        workflowId: 'w',
        parentRunId: null,
        type: 't',
        seq: changes.length + 1,
        at: 0,
        stepId: null,
        elementId: null,
        dataText: '{}',
      });
    }
  }

  before(async () => {
    const storage = {
      getFeedPosition: async () => `p${changes.length}`,
      listChangesAfter: async (position: string, limit: number) => {
        const from = Number(position.slice(1));
        const found = changes.slice(from, from + Math.min(limit, 3));
        return { position: `p${from + found.length}`, changes: found, absences };
      },
    };
    const services = { feed: new ChangeFeedPoller(storage, silentLog), streams } as unknown as Services;
    const app = new Koa();
    app.use((ctx) =>
      streamChanges({ ctx, services, principal: ANONYMOUS } as RouteContext, ctx.get('last-event-id') || undefined),
    );
    server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  after(() => {
    streams.endAll();
    server.close();
  });

  async function openStream(from?: string): Promise<IncomingMessage> {
    const [response] = (await once(
      get(url, { headers: from === undefined ? {} : { 'last-event-id': from } }),
      'response',
    )) as [IncomingMessage];
    return response.setEncoding('utf8');
  }

  /** Reads changes until `last` arrives. Returns their sequence numbers. */
  async function readUntil(response: IncomingMessage, last: number): Promise<number[]> {
    let text = '';
    const numbers = (): number[] => [...text.matchAll(/"seq":(\d+)/g)].map((match) => Number(match[1]));
    for await (const chunk of response) {
      text += String(chunk);
      if (numbers().includes(last)) break;
    }
    return numbers();
  }

  it('should send each change once to a current client and to a client that resumes an old position', async () => {
    // given
    addChanges(10);
    const liveStream = await openStream();
    const resumedStream = await openStream('p2');

    // when: the returning client catches up while new changes occur
    addChanges(5);
    const [liveNumbers, resumedNumbers] = await Promise.all([readUntil(liveStream, 15), readUntil(resumedStream, 15)]);

    // then
    expect(liveNumbers).to.deep.equal([11, 12, 13, 14, 15]);
    expect(resumedNumbers).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });

  it('should send one reset event when absences change, and continue with the changes', async () => {
    // given
    const liveStream = await openStream();
    const { length } = changes;
    absences = '1';
    let text = '';

    // when
    for await (const chunk of liveStream) {
      text += String(chunk);
      if (text.includes('"seq"')) break;
      if (text.includes('reset') && changes.length === length) addChanges(1);
    }

    // then
    expect(text.match(/event: reset\ndata: \{\}\n\n/g)).to.have.length(1);
    expect(text).to.contain(`"seq":${length + 1}`);
  });
});
