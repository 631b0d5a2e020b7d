import type { CommandCause, OutgoingRow, StoragePort } from '@countersign/core/ports';
import type { OutgoingMessage } from '@countersign/model';
import { expect } from 'chai';
import type { Subject } from '../storage-under-test.js';
import { auditEntry, deploy, nextId, present, runEvent, runRecord, runWrite } from '../storage-fixtures.js';
import { currentTime, until } from '@countersign/model/testing';

const LEASE = { limit: 10, leaseMs: 60_000 };

export function describeOutbox(current: Subject): void {
  describe('outbox', () => {
    beforeEach(() => deploy(current().storage));

    const signal = (signalName = 'halt'): OutgoingMessage => ({
      messageId: nextId(),
      kind: 'signal',
      signalName,
      payload: { why: 'ü "quoted"\n' },
    });
    const row = (message: OutgoingMessage, queue = nextId()): OutgoingRow => ({
      message,
      queue,
      sentAt: currentTime(),
    });
    const subscription = (signalName = 'halt') => ({
      subscriptionId: nextId(),
      stepId: nextId(),
      elementId: 'wait',
      signalName,
      since: currentTime(),
    });
    const messagesOf = (claimed: readonly { message: OutgoingMessage }[]) => claimed.map(({ message }) => message);
    const claim = async (storage: StoragePort, request = LEASE) => messagesOf(await storage.claimOutgoing(request));

    it('should contain the messages of a run only if the command that sends them is committed', async () => {
      const { storage, other } = current();
      const run = runRecord();
      const [first, second] = [row(signal()), row(signal())];
      const lost = runWrite({ run: runRecord(), revision: 5, outgoing: [row(signal())] });

      expect(await storage.commit([runWrite({ run, outgoing: [first, second] }), lost])).to.eql([
        'committed',
        'conflict',
      ]);

      const claimed = await other.claimOutgoing(LEASE);
      expect(claimed).to.eql(
        [first, second].map(({ message }) => ({ message, runId: run.runId, actor: null, attempts: 1 })),
      );
    });

    it('should commit a vote only if it knows all pending contributors of its root run', async () => {
      // given
      const { storage, other } = current();
      const [root, otherRoot] = [nextId(), nextId()];
      const contributors = (...ids: string[]): OutgoingMessage => ({
        messageId: nextId(),
        kind: 'contributors',
        childRunId: nextId(),
        toRunId: nextId(),
        rootRunId: root,
        contributors: ids,
      });
      const [first, second] = [contributors('ada', 'bob "ü"'), contributors('bob "ü"', 'cem')];
      const knowing = (rootRunId: string, ...ids: string[]) => runWrite({ contributorsKnown: { rootRunId, ids } });
      const all = ['ada', 'bob "ü"', 'cem'];
      const outcomes = async () =>
        storage.commit([
          knowing(root),
          knowing(root, 'ada', 'cem'),
          knowing(root, ...all),
          knowing(root, 'dan', ...all),
          knowing(otherRoot),
          runWrite(),
        ]);
      expect(await outcomes()).to.eql(Array.from({ length: 6 }, () => 'committed'));

      // when
      await other.commit([runWrite({ outgoing: [row(first), row(second), row(signal())] })]);

      // then
      expect([...(await storage.contributorsUnderWay(root))].sort()).to.eql(all);
      expect(await storage.contributorsUnderWay(otherRoot)).to.eql([]);
      expect(await outcomes()).to.eql(['outdated', 'outdated', 'committed', 'committed', 'committed', 'committed']);

      // and delivered contributors are no longer pending
      await other.deleteDelivered([first, second].map(({ messageId }) => messageId));
      expect(await outcomes()).to.eql(Array.from({ length: 6 }, () => 'committed'));
    });

    it('should store a message once if it is sent again in the same command or while it is pending', async () => {
      const { storage } = current();
      const run = runRecord();
      const [message, queue] = [signal(), nextId()];
      expect(
        await storage.commit([
          runWrite({ run, outgoing: [row(message, queue), row(message, queue), row(signal(), queue)] }),
        ]),
      ).to.eql(['committed']);
      expect(await storage.commit([runWrite({ run, revision: 1, outgoing: [row(message, queue)] })])).to.eql([
        'committed',
      ]);
      expect(await claim(storage)).to.eql([message]);
      await storage.deleteDelivered([message.messageId]);
      expect(await claim(storage)).to.have.length(1);
    });

    it('should return each message to only one server until it is deleted as delivered', async () => {
      const { storage, other } = current();
      const message = signal();
      await storage.commit([runWrite({ outgoing: [row(message)] })]);

      const claims = await Promise.all(
        [storage, other, storage, other].map((server) => claim(server, { ...LEASE, limit: 1 })),
      );
      expect(claims.flat()).to.eql([message]);
      await other.deleteDelivered([message.messageId, nextId()]);
      await storage.deleteDelivered([message.messageId]);
      expect(await claim(other, { limit: 1, leaseMs: 1 })).to.eql([]);
    });

    it('should leave messages of excluded runs for a later claim', async () => {
      const { storage } = current();
      const [large, small] = [runRecord(), runRecord()];
      const [first, second, other, ofNobody] = [row(signal()), row(signal()), row(signal()), row(signal())];
      await storage.commit([runWrite({ run: large, outgoing: [first, second] })]);
      await storage.commit([runWrite({ run: small, outgoing: [other] })]);
      await storage.send([ofNobody], auditEntry());

      const exceptRuns = [large.runId, nextId()];
      expect(messagesOf(await storage.claimOutgoing({ ...LEASE, exceptRuns }))).to.eql([
        other.message,
        ofNobody.message,
      ]);
      expect(messagesOf(await storage.claimOutgoing(LEASE))).to.eql([first.message, second.message]);
    });

    it('should return a message again after its lease expired', async () => {
      const { storage, other } = current();
      const message = signal();
      await storage.commit([runWrite({ outgoing: [row(message)] })]);
      expect(await claim(storage, { limit: 1, leaseMs: 1 })).to.eql([message]);

      const again = await until('the message can be claimed again', async () => (await claim(other)).at(0));

      expect(again).to.eql(message);
      expect(await claim(storage)).to.eql([]);
    });

    it('should count the attempts of a message and not return it before the requested delay', async () => {
      const { storage, other } = current();
      const message = signal();
      await storage.commit([runWrite({ outgoing: [row(message)] })]);
      const attempts: number[] = [];
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const [claimed] = await (attempt === 2 ? other : storage).claimOutgoing(LEASE);
        attempts.push(present(claimed).attempts);
        await other.postponeOutgoing(message.messageId, attempt < 3 ? 0 : 60_000);
      }

      expect(attempts).to.eql([1, 2, 3]);
      expect(await claim(storage)).to.eql([]);
      await storage.deleteDelivered([message.messageId]);
      await other.postponeOutgoing(message.messageId, 0);
      expect(await claim(storage)).to.eql([]);
    });

    it('should hold back the messages after an undeliverable message only in its own queue', async () => {
      const { storage } = current();
      const [stuck, behind, elsewhere] = [signal(), signal(), signal()];
      const queue = nextId();
      await storage.commit([runWrite({ outgoing: [row(stuck, queue), row(behind, queue)] })]);
      expect(await claim(storage)).to.eql([stuck]);
      await storage.postponeOutgoing(stuck.messageId, 60_000);
      await storage.commit([runWrite({ outgoing: [row(elsewhere)] })]);

      expect(await claim(storage)).to.eql([elsewhere]);
    });

    it('should return the messages of a queue in order, each after the previous one was delivered', async () => {
      const { storage, other } = current();
      const queue = nextId();
      const run = runRecord();
      const messages = Array.from({ length: 5 }, () => signal());
      await storage.commit([runWrite({ run, outgoing: messages.slice(0, 3).map((message) => row(message, queue)) })]);
      await other.commit([
        runWrite({ run, revision: 1, outgoing: messages.slice(3).map((message) => row(message, queue)) }),
      ]);

      const given: OutgoingMessage[] = [];
      for (let index = 0; index < 5; index += 1) {
        const claimed = await claim(index % 2 === 0 ? storage : other);
        expect(claimed).to.have.length(1);
        expect(await claim(other)).to.eql([]);
        given.push(...claimed);
        await storage.deleteDelivered(claimed.map(({ messageId }) => messageId));
      }
      expect(given).to.eql(messages);
    });

    it('should store a message from outside once, with its sender', async () => {
      const { storage } = current();
      const message = signal();
      const audit = auditEntry({ action: 'signal.broadcast', target: { type: 'signal', id: message.messageId } });

      await storage.send([row(message)], audit);

      expect(await storage.claimOutgoing(LEASE)).to.eql([{ message, runId: null, actor: audit.actor, attempts: 1 }]);
      expect((await storage.listAudit({}, 10)).filter(({ action }) => action === 'signal.broadcast')).to.have.length(1);
    });

    it('should delete a message together with the write of its effect, and write the effect only once', async () => {
      const { storage, other } = current();
      const message = signal();
      const run = runRecord();
      await storage.commit([runWrite({ run, outgoing: [row(message)] })]);
      const delivery: CommandCause = { messageId: message.messageId, from: 'outbox' };
      const effects = [1, 2].map(() => runWrite({ cause: delivery, events: [runEvent(1)] }));

      const results = await Promise.all([
        storage.commit([present(effects[0]), runWrite()]),
        other.commit([runWrite(), present(effects[1])]),
      ]);

      expect([results[0][0], results[1][1]].sort()).to.eql(['committed', 'fenced']);
      expect([results[0][1], results[1][0]]).to.eql(['committed', 'committed']);
      const loser = present(effects[results[0][0] === 'committed' ? 1 : 0]);
      expect(await storage.findRun(loser.run.runId)).to.equal(undefined);
      expect(await storage.listRunEvents(loser.run.runId, 0, 5)).to.eql([]);
      expect(await claim(storage)).to.eql([]);
      expect(await storage.commit([runWrite({ run, revision: 1, cause: delivery })])).to.eql(['fenced']);
    });

    it('should let a signal start one run per workflow until the signal is deleted', async () => {
      const { storage, other } = current();
      const message = signal();
      await storage.commit([runWrite({ outgoing: [row(message)] })]);
      const begin = (workflowId: string) =>
        runWrite({ run: runRecord({ workflowId }), cause: { messageId: message.messageId, from: 'signal' } });

      const results = await Promise.all([
        storage.commit([begin('a'), begin('b')]),
        other.commit([begin('a'), runWrite(), begin('c'), begin('c')]),
      ]);

      const [[a, b], [otherA, unrelated, c, otherC]] = results;
      expect([b, unrelated]).to.eql(['committed', 'committed']);
      expect([[a, otherA].sort(), [c, otherC].sort()]).to.eql([
        ['committed', 'fenced'],
        ['committed', 'fenced'],
      ]);
      expect(await storage.commit([begin('a'), begin('d')])).to.eql(['fenced', 'committed']);
      expect(await claim(storage)).to.eql([message]);
      await storage.deleteDelivered([message.messageId]);
      expect(await storage.commit([begin('e')])).to.eql(['fenced']);
    });

    it('should keep a message whose effect was not committed', async () => {
      const { storage } = current();
      const message = signal();
      const run = runRecord();
      await storage.commit([runWrite({ run, outgoing: [row(message)] })]);

      expect(
        await storage.commit([runWrite({ run, revision: 9, cause: { messageId: message.messageId, from: 'outbox' } })]),
      ).to.eql(['conflict']);
      expect(await claim(storage)).to.eql([message]);
    });

    it('should find the subscriptions that existed when a signal was thrown, oldest first', async () => {
      const { storage, other } = current();
      const run = runRecord();
      const [first, second, elsewhere, closed, late] = [
        subscription(),
        subscription(),
        subscription('other'),
        subscription(),
        subscription(),
      ];
      await storage.commit([runWrite({ run, signalsOpened: [first, elsewhere, closed] })]);
      await other.commit([
        runWrite({ run, revision: 1, signalsOpened: [second], signalsClosed: [closed.subscriptionId] }),
      ]);
      const message = signal();
      await storage.commit([runWrite({ outgoing: [row(message)] })]);
      await storage.commit([runWrite({ run, revision: 2, signalsOpened: [late] })]);

      const page = await other.findSignalSubscriptions(message.messageId, 'halt', 0, 1);
      expect(page.map(({ subscriptionId, runId }) => [subscriptionId, runId])).to.eql([
        [first.subscriptionId, run.runId],
      ]);
      const rest = await other.findSignalSubscriptions(message.messageId, 'halt', present(page[0]).position, 10);
      expect(rest.map(({ subscriptionId }) => subscriptionId)).to.eql([second.subscriptionId]);
      expect(await other.findSignalSubscriptions(nextId(), 'halt', 0, 10)).to.eql([]);
      expect(await other.findSignalSubscriptions(message.messageId, 'h\0', 0, 10)).to.eql([]);
    });

    it('should omit the run that throws a signal', async () => {
      const { storage } = current();
      const [run, other] = [runRecord(), runRecord()];
      const [before, after, elsewhere] = [subscription(), subscription(), subscription()];
      const message = signal();
      await storage.commit([
        runWrite({ run, signalsOpened: [before] }),
        runWrite({ run: other, signalsOpened: [elsewhere] }),
      ]);
      await storage.commit([runWrite({ run, revision: 1, signalsOpened: [after], outgoing: [row(message)] })]);

      const found = (await storage.findSignalSubscriptions(message.messageId, 'halt', 0, 100)).map(
        ({ subscriptionId }) => subscriptionId,
      );
      expect(found).to.include(elsewhere.subscriptionId);
      expect(found).not.to.include.members([before.subscriptionId]);
      expect(found).not.to.include.members([after.subscriptionId]);
    });
  });
}
