import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { computeSubjectDigest } from '../vote/displayed-approvals.js';
import { ManualClock } from './clock.spec.support.js';
import { createApproval, SERVER, waitForResponses } from './waiting-items-monitor.spec.support.js';
import { NotificationReplyHandler, type RejectClient } from './notification-reply-handler.js';
import { toWaitingApproval } from './to-waiting-item.js';
import type { WaitingApproval } from './waiting-item.js';

const SUBJECT = { kind: 'user_task', inputs: { version: '1.4.0' } } as unknown as Approval['subject'];
const APPROVAL = createApproval('one', {
  subject: SUBJECT,
  digest: computeSubjectDigest(SUBJECT),
  signatureRequired: false,
});

describe('NotificationReplyHandler', () => {
  let clock: ManualClock;
  let currentApproval: Approval;
  let sent: unknown[];
  let callbackCalls: string[];
  let isUnlocked: boolean;
  let signsEveryVote: boolean;
  let isFailing: boolean;
  let replyHandler: NotificationReplyHandler;
  const item: WaitingApproval = toWaitingApproval(SERVER, APPROVAL);

  beforeEach(() => {
    clock = new ManualClock();
    currentApproval = APPROVAL;
    sent = [];
    callbackCalls = [];
    isUnlocked = true;
    signsEveryVote = false;
    isFailing = false;
    const client: RejectClient = {
      getApproval: () => Promise.resolve(currentApproval),
      decideApproval: (args, options) =>
        isFailing
          ? Promise.reject(new Error('The request failed.'))
          : Promise.resolve(void sent.push([args, options])).then(() => currentApproval),
      decideApprovals: () => Promise.reject(new Error('decideApprovals() must not be called.')),
    };
    replyHandler = new NotificationReplyHandler({
      clock,
      getClient: () => client,
      isUnlocked: () => isUnlocked,
      signsEveryVote: () => signsEveryVote,
      newIdempotencyKey: () => 'key-of-reply',
      onUndoWindow: () => callbackCalls.push('undo window'),
      onRejected: () => callbackCalls.push('rejected'),
      onNotRejected: (_item, reason, failed) => callbackCalls.push(`${failed ? 'failed' : 'open'} ${reason}`),
    });
  });

  const endUndoWindow = async (): Promise<void> => {
    clock.advance(5_000);
    await waitForResponses();
  };

  it('should reject the notified round once, after the undo window', async () => {
    await replyHandler.reply(item, ' Too risky. ');
    await replyHandler.reply(item, 'Again.');
    expect({ sent, callbackCalls }).to.deep.equal({ sent: [], callbackCalls: ['undo window'] });
    await endUndoWindow();
    expect(sent).to.deep.equal([
      [
        {
          approvalId: 'one',
          body: { decision: 'reject', expectedDigest: APPROVAL.digest, round: 1, comment: 'Too risky.' },
        },
        { idempotencyKey: 'key-of-reply' },
      ],
    ]);
    expect(callbackCalls).to.deep.equal(['undo window', 'rejected']);
  });

  it('should send nothing after undo() or stop()', async () => {
    await replyHandler.reply(item, 'No.');
    expect(replyHandler.undo(item)).to.equal(true);
    await endUndoWindow();
    await replyHandler.reply(item, 'No.');
    replyHandler.stop();
    await endUndoWindow();
    expect(sent).to.deep.equal([]);
    expect(replyHandler.undo(item)).to.equal(false);
  });

  const changes: Readonly<Record<string, Partial<Approval>>> = {
    'in another round': { round: 2 },
    'with another subject': {
      subject: { ...SUBJECT, inputs: { version: '6.6.6' } } as Approval['subject'],
      digest: computeSubjectDigest({ ...SUBJECT, inputs: { version: '6.6.6' } }),
    },
    'under the digest of another subject': {
      subject: { ...SUBJECT, inputs: { version: '6.6.6' } } as Approval['subject'],
    },
    'with another title': { title: 'Approve all' },
    'with another summary': { summary: 'All of them' },
    'at another risk': { riskLevel: 'high' },
    'of a kind that requires signed votes': { signatureRequired: true },
    'decided': { status: 'approved' },
    'no longer open to votes of this user': { canDecide: { allowed: false, reasons: ['already_voted'] } },
  };
  for (const [description, change] of Object.entries(changes)) {
    it(`should open the approval with the reason and send nothing if the approval is now ${description}`, async () => {
      currentApproval = { ...APPROVAL, ...change };
      await replyHandler.reply(item, 'No.');
      await endUndoWindow();
      expect(sent).to.deep.equal([]);
      expect(callbackCalls.at(-1)).to.match(/^(open|failed) No\.$/);
    });
  }

  it('should only open the approval if the reason is empty, the machine is locked or every vote is signed', async () => {
    await replyHandler.reply(item, '  ');
    isUnlocked = false;
    await replyHandler.reply(item, 'No.');
    isUnlocked = true;
    signsEveryVote = true;
    await replyHandler.reply(item, 'No!');
    await endUndoWindow();
    expect({ sent, callbackCalls }).to.deep.equal({ sent: [], callbackCalls: ['open ', 'open No.', 'open No!'] });
  });

  it('should open the approval with the reason if the request fails', async () => {
    isFailing = true;
    await replyHandler.reply(item, 'No.');
    await endUndoWindow();
    expect(callbackCalls).to.deep.equal(['undo window', 'failed No.']);
  });
});
