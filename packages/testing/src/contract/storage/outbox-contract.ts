import type { CommandCause, OutgoingRow, StoragePort } from '@countersign/core/ports';
import type { OutgoingMessage } from '@countersign/model';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createAuditEntry,
  deploy,
  nextId,
  requireValue,
  createRunEvent,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { currentTime, waitUntil } from '@countersign/model/testing';

const LEASE = { limit: 10, leaseMs: 60_000 };

export function describeOutbox(getStorage: StorageGetter): void {
  describe('outbox', () => {
    beforeEach(() => deploy(getStorage().storage));

    const createSignal = (signalName = 'halt'): OutgoingMessage => ({
      messageId: nextId(),
      kind: 'signal',
      signalName,
      payload: { why: 'ü "quoted"\n' },
    });
    const createRow = (message: OutgoingMessage, queue = nextId()): OutgoingRow => ({
      message,
      queue,
      sentAt: currentTime(),
    });
    const createSubscription = (signalName = 'halt') => ({
      subscriptionId: nextId(),
      stepId: nextId(),
      elementId: 'wait',
      signalName,
      since: currentTime(),
    });
    const getMessages = (claimed: readonly { message: OutgoingMessage }[]) => claimed.map(({ message }) => message);
    const claimMessages = async (storage: StoragePort, request = LEASE) =>
      getMessages(await storage.claimOutgoing(request));

    it('should contain the messages of a run only if the command that sends them is committed', async () => {
      const { storage, other } = getStorage();
      const run = createRunRecord();
      const [first, second] = [createRow(createSignal()), createRow(createSignal())];
      const conflictingWrite = createRunWrite({
        run: createRunRecord(),
        revision: 5,
        outgoing: [createRow(createSignal())],
      });

      expect(await storage.commit([createRunWrite({ run, outgoing: [first, second] }), conflictingWrite])).to.eql([
        'committed',
        'conflict',
      ]);

      const claimed = await other.claimOutgoing(LEASE);
      expect(claimed).to.eql(
        [first, second].map(({ message }) => ({ message, runId: run.runId, actor: null, attempts: 1 })),
      );
    });

    it('should commit a vote only if its write lists all pending contributors of the root run', async () => {
      // given
      const { storage, other } = getStorage();
      const [root, otherRoot] = [nextId(), nextId()];
      const createContributors = (...ids: string[]): OutgoingMessage => ({
        messageId: nextId(),
        kind: 'contributors',
        childRunId: nextId(),
        toRunId: nextId(),
        rootRunId: root,
        contributors: ids,
      });
      const [first, second] = [createContributors('ada', 'bob "ü"'), createContributors('bob "ü"', 'cem')];
      const createVoteWrite = (rootRunId: string, ...ids: string[]) =>
        createRunWrite({ contributorsKnown: { rootRunId, ids } });
      const allContributors = ['ada', 'bob "ü"', 'cem'];
      const commitVotes = async () =>
        storage.commit([
          createVoteWrite(root),
          createVoteWrite(root, 'ada', 'cem'),
          createVoteWrite(root, ...allContributors),
          createVoteWrite(root, 'dan', ...allContributors),
          createVoteWrite(otherRoot),
          createRunWrite(),
        ]);
      expect(await commitVotes()).to.eql(Array.from({ length: 6 }, () => 'committed'));

      // when
      await other.commit([
        createRunWrite({ outgoing: [createRow(first), createRow(second), createRow(createSignal())] }),
      ]);

      // then
      expect([...(await storage.findPendingContributors(root))].sort()).to.eql(allContributors);
      expect(await storage.findPendingContributors(otherRoot)).to.eql([]);
      expect(await commitVotes()).to.eql(['outdated', 'outdated', 'committed', 'committed', 'committed', 'committed']);

      // and delivered contributors are no longer pending
      await other.deleteDelivered([first, second].map(({ messageId }) => messageId));
      expect(await commitVotes()).to.eql(Array.from({ length: 6 }, () => 'committed'));
    });

    it('should store a message once if it is sent again in the same command or while it is pending', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const [message, queue] = [createSignal(), nextId()];
      expect(
        await storage.commit([
          createRunWrite({
            run,
            outgoing: [createRow(message, queue), createRow(message, queue), createRow(createSignal(), queue)],
          }),
        ]),
      ).to.eql(['committed']);
      expect(
        await storage.commit([createRunWrite({ run, revision: 1, outgoing: [createRow(message, queue)] })]),
      ).to.eql(['committed']);
      expect(await claimMessages(storage)).to.eql([message]);
      await storage.deleteDelivered([message.messageId]);
      expect(await claimMessages(storage)).to.have.length(1);
    });

    it('should return each message to only one server until it is deleted as delivered', async () => {
      const { storage, other } = getStorage();
      const message = createSignal();
      await storage.commit([createRunWrite({ outgoing: [createRow(message)] })]);

      const claims = await Promise.all(
        [storage, other, storage, other].map((server) => claimMessages(server, { ...LEASE, limit: 1 })),
      );
      expect(claims.flat()).to.eql([message]);
      await other.deleteDelivered([message.messageId, nextId()]);
      await storage.deleteDelivered([message.messageId]);
      expect(await claimMessages(other, { limit: 1, leaseMs: 1 })).to.eql([]);
    });

    it('should leave messages of excluded runs for a later claim', async () => {
      const { storage } = getStorage();
      const [large, small] = [createRunRecord(), createRunRecord()];
      const [first, second, other, rowWithoutRun] = [
        createRow(createSignal()),
        createRow(createSignal()),
        createRow(createSignal()),
        createRow(createSignal()),
      ];
      await storage.commit([createRunWrite({ run: large, outgoing: [first, second] })]);
      await storage.commit([createRunWrite({ run: small, outgoing: [other] })]);
      await storage.send([rowWithoutRun], createAuditEntry());

      const excludedRunIds = [large.runId, nextId()];
      expect(getMessages(await storage.claimOutgoing({ ...LEASE, excludedRunIds }))).to.eql([
        other.message,
        rowWithoutRun.message,
      ]);
      expect(getMessages(await storage.claimOutgoing(LEASE))).to.eql([first.message, second.message]);
    });

    it('should return a message again after its lease expired', async () => {
      const { storage, other } = getStorage();
      const message = createSignal();
      await storage.commit([createRunWrite({ outgoing: [createRow(message)] })]);
      expect(await claimMessages(storage, { limit: 1, leaseMs: 1 })).to.eql([message]);

      const reclaimed = await waitUntil('the message can be claimed again', async () =>
        (await claimMessages(other)).at(0),
      );

      expect(reclaimed).to.eql(message);
      expect(await claimMessages(storage)).to.eql([]);
    });

    it('should count the attempts of a message and not return it before the requested delay', async () => {
      const { storage, other } = getStorage();
      const message = createSignal();
      await storage.commit([createRunWrite({ outgoing: [createRow(message)] })]);
      const attempts: number[] = [];
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const [claimed] = await (attempt === 2 ? other : storage).claimOutgoing(LEASE);
        attempts.push(requireValue(claimed).attempts);
        await other.postponeOutgoing(message.messageId, attempt < 3 ? 0 : 60_000);
      }

      expect(attempts).to.eql([1, 2, 3]);
      expect(await claimMessages(storage)).to.eql([]);
      await storage.deleteDelivered([message.messageId]);
      await other.postponeOutgoing(message.messageId, 0);
      expect(await claimMessages(storage)).to.eql([]);
    });

    it('should hold back the messages after an undeliverable message only in the same queue', async () => {
      const { storage } = getStorage();
      const [stuckMessage, blockedMessage, otherQueueMessage] = [createSignal(), createSignal(), createSignal()];
      const queue = nextId();
      await storage.commit([
        createRunWrite({ outgoing: [createRow(stuckMessage, queue), createRow(blockedMessage, queue)] }),
      ]);
      expect(await claimMessages(storage)).to.eql([stuckMessage]);
      await storage.postponeOutgoing(stuckMessage.messageId, 60_000);
      await storage.commit([createRunWrite({ outgoing: [createRow(otherQueueMessage)] })]);

      expect(await claimMessages(storage)).to.eql([otherQueueMessage]);
    });

    it('should return the messages of a queue in order, each after the previous one was delivered', async () => {
      const { storage, other } = getStorage();
      const queue = nextId();
      const run = createRunRecord();
      const messages = Array.from({ length: 5 }, () => createSignal());
      await storage.commit([
        createRunWrite({ run, outgoing: messages.slice(0, 3).map((message) => createRow(message, queue)) }),
      ]);
      await other.commit([
        createRunWrite({ run, revision: 1, outgoing: messages.slice(3).map((message) => createRow(message, queue)) }),
      ]);

      const claimedMessages: OutgoingMessage[] = [];
      for (let index = 0; index < 5; index += 1) {
        const claimed = await claimMessages(index % 2 === 0 ? storage : other);
        expect(claimed).to.have.length(1);
        expect(await claimMessages(other)).to.eql([]);
        claimedMessages.push(...claimed);
        await storage.deleteDelivered(claimed.map(({ messageId }) => messageId));
      }
      expect(claimedMessages).to.eql(messages);
    });

    it('should store a message that was not sent by a run with its sender, and one audit event', async () => {
      const { storage } = getStorage();
      const message = createSignal();
      const audit = createAuditEntry({ action: 'signal.broadcast', target: { type: 'signal', id: message.messageId } });

      await storage.send([createRow(message)], audit);

      expect(await storage.claimOutgoing(LEASE)).to.eql([{ message, runId: null, actor: audit.actor, attempts: 1 }]);
      expect((await storage.listAudit({}, 10)).filter(({ action }) => action === 'signal.broadcast')).to.have.length(1);
    });

    it('should delete a message together with the write of its effect, and write the effect only once', async () => {
      const { storage, other } = getStorage();
      const message = createSignal();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, outgoing: [createRow(message)] })]);
      const cause: CommandCause = { messageId: message.messageId, from: 'outbox' };
      const writes = [1, 2].map(() => createRunWrite({ cause, events: [createRunEvent(1)] }));

      const results = await Promise.all([
        storage.commit([requireValue(writes[0]), createRunWrite()]),
        other.commit([createRunWrite(), requireValue(writes[1])]),
      ]);

      expect([results[0][0], results[1][1]].sort()).to.eql(['committed', 'fenced']);
      expect([results[0][1], results[1][0]]).to.eql(['committed', 'committed']);
      const rejectedWrite = requireValue(writes[results[0][0] === 'committed' ? 1 : 0]);
      expect(await storage.findRun(rejectedWrite.run.runId)).to.equal(undefined);
      expect(await storage.listRunEvents(rejectedWrite.run.runId, 0, 5)).to.eql([]);
      expect(await claimMessages(storage)).to.eql([]);
      expect(await storage.commit([createRunWrite({ run, revision: 1, cause })])).to.eql(['fenced']);
    });

    it('should let a signal start one run per workflow until the signal is deleted', async () => {
      const { storage, other } = getStorage();
      const message = createSignal();
      await storage.commit([createRunWrite({ outgoing: [createRow(message)] })]);
      const createStart = (workflowId: string) =>
        createRunWrite({
          run: createRunRecord({ workflowId }),
          cause: { messageId: message.messageId, from: 'signal' },
        });

      const results = await Promise.all([
        storage.commit([createStart('a'), createStart('b')]),
        other.commit([createStart('a'), createRunWrite(), createStart('c'), createStart('c')]),
      ]);

      const [[a, b], [otherA, unrelated, c, otherC]] = results;
      expect([b, unrelated]).to.eql(['committed', 'committed']);
      expect([[a, otherA].sort(), [c, otherC].sort()]).to.eql([
        ['committed', 'fenced'],
        ['committed', 'fenced'],
      ]);
      expect(await storage.commit([createStart('a'), createStart('d')])).to.eql(['fenced', 'committed']);
      expect(await claimMessages(storage)).to.eql([message]);
      await storage.deleteDelivered([message.messageId]);
      expect(await storage.commit([createStart('e')])).to.eql(['fenced']);
    });

    it('should keep a message whose effect was not committed', async () => {
      const { storage } = getStorage();
      const message = createSignal();
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, outgoing: [createRow(message)] })]);

      expect(
        await storage.commit([
          createRunWrite({ run, revision: 9, cause: { messageId: message.messageId, from: 'outbox' } }),
        ]),
      ).to.eql(['conflict']);
      expect(await claimMessages(storage)).to.eql([message]);
    });

    it('should find the subscriptions that existed when a signal was thrown, oldest first', async () => {
      const { storage, other } = getStorage();
      const run = createRunRecord();
      const [first, second, otherSignalSubscription, closedSubscription, lateSubscription] = [
        createSubscription(),
        createSubscription(),
        createSubscription('other'),
        createSubscription(),
        createSubscription(),
      ];
      await storage.commit([
        createRunWrite({ run, signalsOpened: [first, otherSignalSubscription, closedSubscription] }),
      ]);
      await other.commit([
        createRunWrite({
          run,
          revision: 1,
          signalsOpened: [second],
          signalsClosed: [closedSubscription.subscriptionId],
        }),
      ]);
      const message = createSignal();
      await storage.commit([createRunWrite({ outgoing: [createRow(message)] })]);
      await storage.commit([createRunWrite({ run, revision: 2, signalsOpened: [lateSubscription] })]);

      const page = await other.findSignalSubscriptions(message.messageId, 'halt', 0, 1);
      expect(page.map(({ subscriptionId, runId }) => [subscriptionId, runId])).to.eql([
        [first.subscriptionId, run.runId],
      ]);
      const rest = await other.findSignalSubscriptions(message.messageId, 'halt', requireValue(page[0]).position, 10);
      expect(rest.map(({ subscriptionId }) => subscriptionId)).to.eql([second.subscriptionId]);
      expect(await other.findSignalSubscriptions(nextId(), 'halt', 0, 10)).to.eql([]);
      expect(await other.findSignalSubscriptions(message.messageId, 'h\0', 0, 10)).to.eql([]);
    });

    it('should omit the subscriptions of the run that throws the signal', async () => {
      const { storage } = getStorage();
      const [run, other] = [createRunRecord(), createRunRecord()];
      const [earlierSubscription, sameCommitSubscription, otherRunSubscription] = [
        createSubscription(),
        createSubscription(),
        createSubscription(),
      ];
      const message = createSignal();
      await storage.commit([
        createRunWrite({ run, signalsOpened: [earlierSubscription] }),
        createRunWrite({ run: other, signalsOpened: [otherRunSubscription] }),
      ]);
      await storage.commit([
        createRunWrite({ run, revision: 1, signalsOpened: [sameCommitSubscription], outgoing: [createRow(message)] }),
      ]);

      const found = (await storage.findSignalSubscriptions(message.messageId, 'halt', 0, 100)).map(
        ({ subscriptionId }) => subscriptionId,
      );
      expect(found).to.include(otherRunSubscription.subscriptionId);
      expect(found).not.to.include.members([earlierSubscription.subscriptionId]);
      expect(found).not.to.include.members([sameCommitSubscription.subscriptionId]);
    });
  });
}
