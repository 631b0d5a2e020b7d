import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { digestOf } from '../vote/displayed-approvals.js';
import { HandClock } from './clock.spec.support.js';
import { anApproval, SERVER, settled } from './presence.spec.support.js';
import { ReplyReject, type RejectClient } from './reply-reject.js';
import { waitingItemOf, type WaitingItem } from './waiting-item.js';

const SUBJECT = { kind: 'user_task', inputs: { version: '1.4.0' } } as unknown as Approval['subject'];
const ASKED = anApproval('one', { subject: SUBJECT, digest: digestOf(SUBJECT), signatureRequired: false });

describe('ReplyReject', () => {
  let clock: HandClock;
  let now: Approval;
  let sent: unknown[];
  let said: string[];
  let unlocked: boolean;
  let signs: boolean;
  let refuses: boolean;
  let replies: ReplyReject;
  const item: WaitingItem = waitingItemOf(SERVER, ASKED);

  beforeEach(() => {
    clock = new HandClock();
    now = ASKED;
    sent = [];
    said = [];
    unlocked = true;
    signs = false;
    refuses = false;
    const client: RejectClient = {
      getApproval: () => Promise.resolve(now),
      decideApproval: (args, options) =>
        refuses ? Promise.reject(new Error('No.')) : Promise.resolve(void sent.push([args, options])).then(() => now),
      decideApprovals: () => Promise.reject(new Error('Never.')),
    };
    replies = new ReplyReject({
      clock,
      clientOf: () => client,
      isUnlocked: () => unlocked,
      signsEvery: () => signs,
      newIdempotencyKey: () => 'key-of-reply',
      onGrace: () => said.push('grace'),
      onRejected: () => said.push('rejected'),
      onOpen: (_item, reason, failed) => said.push(`${failed ? 'failed' : 'open'} ${reason}`),
    });
  });

  const graceOver = async (): Promise<void> => {
    clock.pass(5_000);
    await settled();
  };

  it('should reject the displayed round once, after the undo window', async () => {
    await replies.reply(item, ' Too risky. ');
    await replies.reply(item, 'Again.');
    expect({ sent, said }).to.deep.equal({ sent: [], said: ['grace'] });
    await graceOver();
    expect(sent).to.deep.equal([
      [
        {
          approvalId: 'one',
          body: { decision: 'reject', expectedDigest: ASKED.digest, round: 1, comment: 'Too risky.' },
        },
        { idempotencyKey: 'key-of-reply' },
      ],
    ]);
    expect(said).to.deep.equal(['grace', 'rejected']);
  });

  it('should send nothing after undo or stop()', async () => {
    await replies.reply(item, 'No.');
    expect(replies.takeBack(item)).to.equal(true);
    await graceOver();
    await replies.reply(item, 'No.');
    replies.stop();
    await graceOver();
    expect(sent).to.deep.equal([]);
    expect(replies.takeBack(item)).to.equal(false);
  });

  const changes: Readonly<Record<string, Partial<Approval>>> = {
    'in another round': { round: 2 },
    'with another subject': {
      subject: { ...SUBJECT, inputs: { version: '6.6.6' } } as Approval['subject'],
      digest: digestOf({ ...SUBJECT, inputs: { version: '6.6.6' } }),
    },
    'under the digest of another subject': {
      subject: { ...SUBJECT, inputs: { version: '6.6.6' } } as Approval['subject'],
    },
    'with another title': { title: 'Approve all' },
    'at another risk': { riskLevel: 'high' },
    'of a kind that requires signed votes': { signatureRequired: true },
    'decided': { status: 'approved' },
    'no longer open to votes of this user': { canDecide: { allowed: false, reasons: ['already_voted'] } },
  };
  for (const [how, change] of Object.entries(changes)) {
    it(`should open the approval with the reason and send nothing if the approval is now ${how}`, async () => {
      now = { ...ASKED, ...change };
      await replies.reply(item, 'No.');
      await graceOver();
      expect(sent).to.deep.equal([]);
      expect(said.at(-1)).to.match(/^(open|failed) No\.$/);
    });
  }

  it('should only open the approval if the reason is empty, the machine is locked or every vote is signed', async () => {
    await replies.reply(item, '  ');
    unlocked = false;
    await replies.reply(item, 'No.');
    unlocked = true;
    signs = true;
    await replies.reply(item, 'No!');
    await graceOver();
    expect({ sent, said }).to.deep.equal({ sent: [], said: ['open ', 'open No.', 'open No!'] });
  });

  it('should open the approval with the reason if the request fails', async () => {
    refuses = true;
    await replies.reply(item, 'No.');
    await graceOver();
    expect(said).to.deep.equal(['grace', 'failed No.']);
  });
});
