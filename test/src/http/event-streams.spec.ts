import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Client, RunEvent } from '@countersign/contract';
import { approvalModel, createTestHost, seconds, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

describe('API: event streams', () => {
  let countersign: TestHost;
  let viewer: Client;
  let approver: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    viewer = await countersign.client('viewer');
    approver = await countersign.client('approver');
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  async function openStream(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const authorization = `Bearer ${await countersign.token('viewer')}`;
    const request = get(`${countersign.url}${path}`, {
      headers: { authorization, accept: 'text/event-stream', ...headers },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.setEncoding('utf8');
  }

  /** Returns the text of a stream, read until it is complete or the stream ends. */
  async function readUntil(
    response: IncomingMessage,
    isComplete: (text: string) => boolean = () => false,
  ): Promise<string> {
    let text = '';
    for await (const chunk of response) {
      text += String(chunk);
      if (isComplete(text)) break;
    }
    return text;
  }

  const parseIds = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  const parseEvents = (text: string): RunEvent[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(String(match[1])) as RunEvent);

  it('should stream from the first event, resume after any event without loss, and end with the run', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple' } });
    const liveStreamText = openStream(`/api/runs/${runId}/events`).then((response) => readUntil(response));
    await countersign.jobs.complete('work');
    const approval = await waitForApproval(viewer, runId);

    // when
    await approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    const wholeStream = await liveStreamText;

    // then
    const last = Math.max(...parseIds(wholeStream));
    expect(parseIds(wholeStream)).to.deep.equal(Array.from({ length: last }, (_, index) => index + 1));
    expect(parseEvents(wholeStream).at(-1)?.type).to.equal('run.completed');
    expect(wholeStream).to.match(/^retry: \d+$/m);
    for (const from of [1, Math.floor(last / 2), last - 1]) {
      const resumed = await readUntil(await openStream(`/api/runs/${runId}/events`, { 'last-event-id': String(from) }));
      expect(parseIds(resumed)[0]).to.equal(from + 1);
      expect(parseIds(resumed).at(-1)).to.equal(last);
      const streamAfter = await readUntil(await openStream(`/api/runs/${runId}/events?after=${from}`));
      expect(parseIds(streamAfter)).to.deep.equal(parseIds(resumed));
    }
    const emptyStream = await openStream(`/api/runs/${runId}/events`, { 'last-event-id': String(last) });
    expect(emptyStream.statusCode).to.equal(204);
    emptyStream.resume();
    for (const pendingResponse of [
      openStream(`/api/runs/${runId}/events`, { 'last-event-id': String(last + 1) }),
      openStream(`/api/runs/${runId}/events?after=${last + 1}`),
    ]) {
      const refused = await pendingResponse;
      expect(refused.statusCode).to.equal(400);
      refused.resume();
    }
    const page = await viewer.listRunEvents({ runId, limit: 3 });
    expect(page.items.map((event) => event.seq)).to.deep.equal([1, 2, 3]);
    const next = await viewer.listRunEvents({ runId, limit: 200, cursor: page.nextCursor ?? '' });
    expect(next.items.at(-1)?.seq).to.equal(last);
    expect(next.nextCursor).to.equal(null);
    expect(page.items[0]).to.deep.include({ type: 'run.started', actor: 'viewer', stepId: null });
  });

  it('should stream the events of all runs and resume after the last received position', async () => {
    // given
    const firstStream = await openStream('/api/events');
    const startedRun = await viewer.startRun({ body: { workflowId: 'simple' } });
    const text = await readUntil(
      firstStream,
      (each) => each.includes('"run.started"') && /\n\n$/.test(each) && each.includes(startedRun.runId),
    );
    const position = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '';
    firstStream.destroy();
    expect(position).not.to.equal('');

    // when the client is disconnected and the run continues
    await countersign.jobs.complete('work');
    await waitForApproval(viewer, startedRun.runId);
    const secondStream = await openStream('/api/events', { 'last-event-id': position });
    const rest = await readUntil(secondStream, (each) => each.includes('"approval.requested"'));
    secondStream.destroy();

    // then
    const receivedEvents = [...parseEvents(text), ...parseEvents(rest)].filter(
      (event) => (event as unknown as { runId: string }).runId === startedRun.runId,
    );
    const seqs = [...new Set(receivedEvents.map((event) => event.seq))].sort((a, b) => a - b);
    expect(seqs).to.deep.equal(seqs.map((_, index) => index + 1));
    expect(rest).not.to.contain('viewer');
  });

  it('should reset a client whose position is unknown', async () => {
    const response = await openStream('/api/events', { 'last-event-id': 'rubbish' });
    const text = await readUntil(response, (each) => each.includes('event: reset'));
    response.destroy();
    expect(text).to.match(/event: reset\ndata: \{\}\n\n/);
  });

  it('should end a stream when its token expires', async () => {
    const token = await countersign.token('viewer', { expiresInSeconds: Math.ceil(seconds(3) / 1_000) + 1 });
    const response = await openStream('/api/events', { authorization: `Bearer ${token}` });
    expect(await readUntil(response)).to.contain('retry:');
  });

  it('should end streams when the server stops', async () => {
    const other = await createTestHost();
    const token = await other.token('viewer');
    const response = await fetch(`${other.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
    const text = response.text();
    await other.close();
    expect(await text).to.contain('retry:');
  });
});
