import { expect } from 'chai';
import {
  type AdvanceContext,
  canonicalJson,
  chainEvents,
  chainEventsInPieces,
  GENESIS_HASH,
  type Json,
  PersonSalts,
  sha256Hex,
  type WorkflowGraph,
} from '@countersign/model';
import { advance, advanceInPieces } from './advance.js';
import { allow, flows, graphOf, RUN_ID, T0, user } from './interpreter.spec.support.js';
import { MoreEventsNeeded, replayCommand } from './replay/replay.js';

const ITEMS = 300;

const salt = (): string => 'ab'.repeat(16);

const LOOP =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';

const parallelApprovals = (): Promise<WorkflowGraph> =>
  graphOf(
    `<bpmn:startEvent id="s"/><bpmn:userTask id="each">${LOOP}</bpmn:userTask><bpmn:endEvent id="e"/>${flows('s > each', 'each > e')}`,
  );

const context: AdvanceContext = {
  now: T0,
  policy: allow,
  settings: {
    separationOfDuties: true,
    excludeDeployers: false,
    requireDigest: false,
    retryBackoffMs: 1,
    retryBackoffMaxMs: 1,
  },
};

const start = (items: Json[]) =>
  ({
    type: 'start',
    actor: user('ann'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:0',
    businessKey: null,
    inputs: { items, other: 'ä', a: { b: 1 } },
  }) as const;

/** A list that counts how often it is read from end to end. */
function counted(length: number): { items: Json[]; readings: () => number } {
  let readings = 0;
  const items = new Proxy(
    Array.from({ length }, (_, index): Json => index),
    {
      get: (target, key, receiver) => {
        if (key === String(length - 1)) readings += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { items, readings: () => readings };
}

describe('a command that enters many elements', () => {
  it('should yield between any two of them, and come to what it comes to without a pause', async () => {
    // given
    const graph = await parallelApprovals();
    const command = start(Array.from({ length: ITEMS }, (_, index) => index));

    // when
    const pieces = advanceInPieces(graph, null, command, context);
    let pauses = 0;
    let step = pieces.next();
    for (; step.done !== true; step = pieces.next()) pauses += 1;

    // then
    expect(pauses).to.be.greaterThan(ITEMS);
    expect(step.value).to.deep.equal(advance(graph, null, command, context));
    const events = step.value.events;
    expect([
      ...chainEventsInPieces(RUN_ID, GENESIS_HASH, events, salt, new PersonSalts(undefined, () => salt())),
    ]).to.have.length(events.length);
  });

  it('should yield as often when it is decided again, and stop early where its events are not all there', async () => {
    // given
    const graph = await parallelApprovals();
    const { events: drafts, state } = advance(
      graph,
      null,
      start(Array.from({ length: ITEMS }, (_, index) => index)),
      context,
    );
    const [first, ...behind] = chainEvents(
      RUN_ID,
      GENESIS_HASH,
      drafts,
      salt,
      new PersonSalts(undefined, () => salt()),
    );
    if (first === undefined) throw new Error('a start has events');
    const sources = { facts: { runId: RUN_ID, parent: null }, graphOf: () => graph };

    // when
    const pieces = replayCommand(null, [first, ...behind], sources, 0);
    let pauses = 0;
    let step = pieces.next();
    for (; step.done !== true; step = pieces.next()) pauses += 1;
    const tooFew = replayCommand(null, [first, ...behind.slice(0, 9)], sources, 0);
    let inVain = 0;
    const proceed = (): void => {
      while (tooFew.next().done !== true) inVain += 1;
    };

    // then
    expect(pauses).to.be.greaterThan(ITEMS + drafts.length);
    expect(Object.keys(step.value.position.state.instances)).to.deep.equal(Object.keys(state.instances));
    expect(proceed).to.throw(MoreEventsNeeded);
    expect(inVain).to.be.lessThan(ITEMS / 10);
  });

  it('should write a list that all approvals are about once, and not once for each', async () => {
    // given
    const graph = await parallelApprovals();
    const readings = await Promise.all(
      [ITEMS, ITEMS * 2].map(async (length) => {
        const { items, readings: read } = counted(length);
        advance(graph, null, start(items), context);
        return read();
      }),
    );

    // then: each turn reads its own item, and what else reads the list does so as often, however many turns there are
    expect(readings[1]).to.equal(readings[0]);
  });

  it('should give each approval the digest of its subject', async () => {
    const graph = await parallelApprovals();
    const { requests } = advance(graph, null, start([1, { b: null, a: 'ö' }, ['x', 1.5e300]]), context);
    const approvals = requests.flatMap((request) => (request.type === 'approval.open' ? [request.approval] : []));

    expect(approvals).to.have.length(3);
    for (const { digest, subject } of approvals) expect(digest).to.equal(`sha256:${sha256Hex(canonicalJson(subject))}`);
  });
});
