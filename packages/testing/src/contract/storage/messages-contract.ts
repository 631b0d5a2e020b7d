import type { ChannelMatches, MessageChannel, StartSubscription, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  deploy,
  createMessage,
  nextId,
  requireValue,
  createRunRecord,
  createRunWrite,
  createSubscription,
} from '../storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

const CHANNEL: MessageChannel = { messageName: 'ordered', correlationKey: 'a/b#1' };
const LEASE = { limit: 10, leaseMs: 60_000 };
const ORDER_START: StartSubscription = {
  kind: 'message',
  name: CHANNEL.messageName,
  elementId: 'on-order',
  trigger: 0,
};

export function describeMessages(getStorage: StorageGetter): void {
  describe('messages', () => {
    const matchChannel = async (
      storage: StoragePort,
      channel = CHANNEL,
      now = currentTime(),
    ): Promise<ChannelMatches> => requireValue(await storage.matchMessages(channel, now));
    const describeMatches = ({ matches }: ChannelMatches): string[] =>
      matches.map(
        ({ messageId, workflowId, to }) =>
          `${messageId} ${workflowId} ${to.kind === 'run' ? to.subscriptionId : to.elementId}`,
      );
    const createConsumingWrite = (messageId: string, workflowId = 'release') =>
      createRunWrite({ run: createRunRecord({ workflowId }), cause: { messageId, from: 'channel' } });

    it('should match the first message with the longest-waiting subscription of each workflow', async () => {
      const { storage, other } = getStorage();
      const [oldestSubscription, newerSubscription, otherWorkflowSubscription] = [
        createSubscription(CHANNEL, 1_000),
        createSubscription(CHANNEL, 2_000),
        createSubscription(CHANNEL, 3_000),
      ];
      await storage.commit([
        createRunWrite({ subscriptionsOpened: [newerSubscription, oldestSubscription] }),
        createRunWrite({
          run: createRunRecord({ workflowId: 'audit' }),
          subscriptionsOpened: [otherWorkflowSubscription],
        }),
      ]);
      expect(await storage.matchMessages(CHANNEL, currentTime())).to.equal(undefined);
      const [first, second] = [createMessage(CHANNEL), createMessage(CHANNEL)];
      expect(await storage.publishMessage(first, 0)).to.equal('published');
      expect(await other.publishMessage(second, 0)).to.equal('published');
      await storage.publishMessage(createMessage({ ...CHANNEL, correlationKey: 'a/b#2' }), 0);

      expect(describeMatches((await other.matchMessages(CHANNEL, currentTime())) ?? expect.fail())).to.eql([
        `${first.messageId} audit ${otherWorkflowSubscription.subscriptionId}`,
        `${first.messageId} release ${oldestSubscription.subscriptionId}`,
      ]);
      expect(await storage.commit([createConsumingWrite(first.messageId)])).to.eql(['committed']);
      expect(describeMatches(await matchChannel(other))).to.eql([
        `${first.messageId} audit ${otherWorkflowSubscription.subscriptionId}`,
        `${second.messageId} release ${oldestSubscription.subscriptionId}`,
      ]);
    });

    it('should let each workflow consume a message once, even with concurrent writers', async () => {
      const { storage, other } = getStorage();
      const { messageId, ...message } = createMessage(CHANNEL);
      await storage.publishMessage({ ...message, messageId }, 0);

      expect(await storage.commit([createConsumingWrite(messageId, 'a'), createConsumingWrite(messageId, 'b')])).to.eql(
        ['committed', 'committed'],
      );
      const concurrentResults = await Promise.all([
        storage.commit([createConsumingWrite(messageId, 'c')]),
        other.commit([createConsumingWrite(messageId, 'c')]),
        other.commit([createConsumingWrite(messageId, 'a'), createRunWrite()]),
      ]);
      expect(concurrentResults.flat().sort()).to.eql(['committed', 'committed', 'fenced', 'fenced']);
      // The same applies to two writes in one commit.
      expect(
        (await storage.commit([createConsumingWrite(messageId, 'd'), createConsumingWrite(messageId, 'd')])).toSorted(),
      ).to.eql(['committed', 'fenced']);

      const receipt = requireValue(await other.findMessageReceipt(messageId, currentTime(), { forget: true }));
      expect([receipt.runIds.length, receipt.startedRunIds.length, receipt.buffered]).to.eql([0, 4, true]);
      expect(await storage.commit([createConsumingWrite(nextId(), 'e')])).to.eql(['fenced']);
    });

    it('should store a message once, even if it is published several times', async () => {
      const { storage, other } = getStorage();
      const message = createMessage(CHANNEL);

      const results = await Promise.all([
        storage.publishMessage(message, 0),
        other.publishMessage(message, 0),
        other.publishMessage({ ...message, correlationKey: 'x' }, 0),
      ]);

      expect(results.sort()).to.eql(['duplicate', 'duplicate', 'published']);
      expect(await storage.countBufferedMessages(currentTime())).to.equal(1);
    });

    it('should match an unbuffered message only in its first matching pass', async () => {
      const { storage, other } = getStorage();
      const now = currentTime();
      const message = createMessage(CHANNEL, { publishedAt: now, expiresAt: now });
      await storage.publishMessage(message, 0);
      const subscription = createSubscription(CHANNEL);
      const run = createRunRecord();
      await storage.commit([createRunWrite({ run, subscriptionsOpened: [subscription] })]);
      expect(describeMatches(await matchChannel(other))).to.eql([
        `${message.messageId} release ${subscription.subscriptionId}`,
      ]);
      await other.commit([createRunWrite({ run, revision: 1, subscriptionsClosed: [subscription.subscriptionId] })]);
      expect(await storage.markChannelIdle(CHANNEL, await matchChannel(storage))).to.equal(false);
      await storage.commit([createRunWrite({ run, revision: 2, subscriptionsOpened: [subscription] })]);

      expect(describeMatches(await matchChannel(storage))).to.eql([]);
      expect(await storage.findMessageReceipt(message.messageId, now, { forget: false })).to.eql({
        runIds: [],
        startedRunIds: [],
        buffered: false,
      });
      await storage.markChannelIdle(CHANNEL, await matchChannel(storage));
      expect(await storage.findMessageReceipt(message.messageId, now, { forget: true })).to.eql({
        runIds: [],
        startedRunIds: [],
        buffered: false,
      });
      expect(await storage.findMessageReceipt(message.messageId, now, { forget: true })).to.equal(undefined);
      expect(await storage.matchMessages(CHANNEL, now)).to.equal(undefined);
    });

    it('should return channels with new messages or subscriptions until they are marked idle', async () => {
      const { storage, other } = getStorage();
      await storage.publishMessage(createMessage(CHANNEL), 60_000);
      expect(await storage.claimChannels(LEASE)).to.eql([]);
      const channelState = await matchChannel(storage);
      await storage.commit([
        createRunWrite({
          subscriptionsOpened: [createSubscription(CHANNEL), createSubscription({ ...CHANNEL, messageName: 'other' })],
        }),
      ]);

      // A channel is not idle if a message was published after it was read.
      expect(await storage.markChannelIdle(CHANNEL, channelState)).to.equal(false);
      expect(await other.claimChannels(LEASE)).to.eql([CHANNEL]);
      expect(await storage.claimChannels(LEASE)).to.eql([]);
      await other.markChannelIdle(CHANNEL, await matchChannel(other));
      await storage.publishMessage(createMessage(CHANNEL), 0);
      expect(await storage.claimChannels(LEASE)).to.eql([CHANNEL]);
    });

    it('should start runs only of workflows that had a message start event when the message was published', async () => {
      const { storage, other } = getStorage();
      await deploy(storage, { workflowId: 'a' }, { subscriptions: [ORDER_START] });
      const message = createMessage(CHANNEL);
      await storage.publishMessage(message, 0);
      await deploy(storage, { workflowId: 'b' }, { subscriptions: [ORDER_START] });
      await deploy(
        storage,
        { workflowId: 'a', digest: 'sha256:second' },
        { subscriptions: [{ ...ORDER_START, elementId: 'later' }] },
      );

      const { matches } = await matchChannel(other);
      expect(matches.map(({ workflowId, to }) => ({ workflowId, to }))).to.eql([
        { workflowId: 'a', to: { kind: 'start', version: 2, elementId: 'later', trigger: 0 } },
      ]);
      // A waiting run has priority.
      await storage.commit([
        createRunWrite({
          run: createRunRecord({ workflowId: 'a' }),
          subscriptionsOpened: [createSubscription(CHANNEL)],
        }),
      ]);
      expect((await matchChannel(other)).matches.map(({ to }) => to.kind)).to.eql(['run']);
    });

    it('should not start a second run while a run with the same correlation key is active', async () => {
      const { storage, other } = getStorage();
      const { correlationKey } = CHANNEL;
      await deploy(storage, {}, { subscriptions: [ORDER_START] });
      const [first, second] = [createMessage(CHANNEL), createMessage(CHANNEL)];
      await storage.publishMessage(first, 0);
      await storage.publishMessage(second, 0);
      const createStart = (messageId: string, ends = false) =>
        createRunWrite({ cause: { messageId, from: 'channel' }, startKey: { correlationKey, begins: true, ends } });

      // when
      const write = createStart(first.messageId);
      expect(await storage.commit([write])).to.eql(['committed']);
      expect(await other.commit([createStart(second.messageId)])).to.eql(['fenced']);

      // then
      const { matches, ...channelState } = await matchChannel(other);
      expect([matches, channelState.blockedWorkflowIds]).to.eql([[], ['release']]);
      expect(await storage.markChannelIdle(CHANNEL, channelState)).to.equal(false);
      expect(await storage.claimChannels(LEASE)).to.eql([]);
      await other.commit([
        createRunWrite({ run: write.run, revision: 1, startKey: { correlationKey, begins: false, ends: true } }),
      ]);
      expect(await storage.markChannelIdle(CHANNEL, channelState)).to.equal(true);
      expect(await storage.claimChannels(LEASE)).to.eql([CHANNEL]);
      expect(describeMatches(await matchChannel(storage))).to.eql([`${second.messageId} release on-order`]);

      // Only one of two starts in the same commit is committed. A run that ends in its first command does not block the
      // correlation key.
      const third = createMessage(CHANNEL);
      await storage.publishMessage(third, 0);
      expect(
        (await storage.commit([createStart(second.messageId, true), createStart(third.messageId, true)])).toSorted(),
      ).to.eql(['committed', 'fenced']);
      expect((await matchChannel(storage)).blockedWorkflowIds).to.eql([]);
    });

    it('should delete expired messages, and channels without messages', async () => {
      const { storage, other } = getStorage();
      const now = currentTime();
      const [shortLivedMessage, longLivedMessage] = [
        createMessage(CHANNEL, { expiresAt: now + 1_000 }),
        createMessage(CHANNEL, { expiresAt: now + 2_000 }),
      ];
      await storage.publishMessage(shortLivedMessage, 0);
      await storage.publishMessage(longLivedMessage, 0);

      // A message that has not been matched yet does not expire.
      expect(await storage.expireMessages(now + 1_000, 0, 10)).to.equal(0);
      await storage.markChannelIdle(CHANNEL, await matchChannel(storage));
      expect(await storage.countBufferedMessages(now + 1_000)).to.equal(1);
      // A message whose sender may still request its receipt does not expire either.
      expect(await storage.expireMessages(now + 1_000, 60_000, 10)).to.equal(0);
      expect(await other.expireMessages(now + 1_000, 0, 10)).to.equal(1);
      expect(await storage.commit([createConsumingWrite(shortLivedMessage.messageId)])).to.eql(['fenced']);
      expect(await storage.publishMessage(longLivedMessage, 0)).to.equal('duplicate');
      expect(await storage.expireMessages(now + 2_000, 0, 10)).to.equal(1);
      expect(await storage.matchMessages(CHANNEL, now)).to.equal(undefined);
      expect(await storage.publishMessage(longLivedMessage, 0)).to.equal('published');
    });

    it('should move a thrown message from the outbox only once', async () => {
      const { storage, other } = getStorage();
      const message = createMessage(CHANNEL, { fromOutbox: true });
      const { messageId, payload } = message;
      const row = {
        message: { messageId, payload, ...CHANNEL, kind: 'message' as const },
        queue: nextId(),
        sentAt: currentTime(),
      };
      await storage.commit([createRunWrite({ outgoing: [row] })]);

      const results = await Promise.all([storage.publishMessage(message, 0), other.publishMessage(message, 0)]);

      expect(results.sort()).to.eql(['gone', 'published']);
      expect(await storage.claimOutgoing(LEASE)).to.eql([]);
    });

    it('should not match a message again with a workflow that refused it', async () => {
      const { storage } = getStorage();
      const [message, next] = [createMessage(CHANNEL), createMessage(CHANNEL)];
      await storage.publishMessage(message, 0);
      await storage.publishMessage(next, 0);
      await storage.commit([createRunWrite({ subscriptionsOpened: [createSubscription(CHANNEL)] })]);

      await storage.refuseMessage(message.messageId, 'release');

      expect((await matchChannel(storage)).matches.map(({ messageId }) => messageId)).to.eql([next.messageId]);
      expect(await storage.commit([createConsumingWrite(message.messageId)])).to.eql(['fenced']);
      expect((await storage.findMessageReceipt(message.messageId, currentTime(), { forget: false }))?.runIds).to.eql(
        [],
      );
    });
  });
}
