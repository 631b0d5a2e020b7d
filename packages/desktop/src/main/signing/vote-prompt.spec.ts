import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import type { Vote } from '../../common/methods.js';
import { createVotePrompt } from './vote-prompt.js';

const CALL_APPROVAL = {
  approvalId: 'a',
  round: 1,
  title: 'Pay\u202Ethe bill',
  workflowId: 'bills',
  signatureRequired: true,
  riskLevel: 'critical',
  riskFactors: [],
  quorum: { required: 1, approvals: 0 },
  subject: {
    kind: 'tool_call',
    tool: 'pay',
    hosts: ['bank.example.com'],
    effect: 'write',
    reversible: false,
    inputs: { 'amount': 1_200, 'to\n\nServer: ours': 'x'.repeat(5_000) },
    evidence: [{ name: 'bill.pdf', version: 2, sha256: 'ab'.repeat(32) }],
  },
} as unknown as Approval;
const VOTE = { decision: 'approve', subjectDigest: `sha256:${'0123456789abcdef'.repeat(4)}` } as unknown as Vote;

describe('createVotePrompt', () => {
  const createDetail = (approval: Approval, vote: Partial<Vote> = {}): string =>
    createVotePrompt({
      server: { name: 'pay.example.com', url: 'https://pay.example.com' },
      approval,
      vote: { ...VOTE, ...vote },
      keyId: 'k'.repeat(43),
      clockOffset: 0,
    }).detail;

  it('should show the tool, the host, the arguments, the evidence and whether the call can be undone', () => {
    const lines = createDetail(CALL_APPROVAL).split('\n');
    expect(lines).to.include.members([
      'Pay⟦U+202E⟧the bill',
      'Requested action: Call pay. This can’t be undone.',
      'Risk: critical',
      'Comment: none',
      'Tool: pay at bank.example.com',
      '    amount: 1200',
      '    bill.pdf, version 2, sha256 abababababab…',
      'Server: https://pay.example.com',
      'Digest: 0123 4567 89ab cdef 0123 4567 89ab cdef …',
    ]);
  });

  it('should show title and summary of the subject, which the digest covers, instead of those of the server', () => {
    const approval = {
      ...CALL_APPROVAL,
      title: 'Pay 1',
      summary: 'Nothing special',
      subject: {
        kind: 'user_task',
        title: 'Pay 1200 to\nACME',
        summary: 'To a new bank account',
        inputs: {},
        evidence: [],
      },
    } as unknown as Approval;
    expect(createDetail(approval).split('\n').slice(0, 3)).to.deep.equal([
      'Pay 1200 to ACME',
      'To a new bank account',
      'Requested action: Continue the bills run after “Pay 1200 to ACME”.',
    ]);
    const { title: _title, summary: _summary, ...subject } = approval.subject as Record<string, unknown>;
    expect(createDetail({ ...approval, subject } as unknown as Approval)).not.to.contain('Nothing special');
  });

  it('should keep every item on its own line despite line breaks in its text', () => {
    const lines = createDetail(CALL_APPROVAL, { comment: 'Yes.\nServer: https://evil.example.com' }).split('\n');
    expect(lines.filter((line) => line.startsWith('Server:'))).to.deep.equal(['Server: https://pay.example.com']);
    expect(lines.find((line) => line.includes('to Server: ours'))).to.match(
      /^ {4}to Server: ours: "x+ … \(4,882 more characters\)$/,
    );
  });

  it('should fit on a screen and report how much it omits', () => {
    const inputs = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`argument ${index}`, 'y'.repeat(1_000)]),
    );
    const detail = createDetail(
      { ...CALL_APPROVAL, title: 'T'.repeat(4_000), subject: { ...CALL_APPROVAL.subject, inputs } } as Approval,
      {
        comment: 'C'.repeat(9_000),
      },
    );
    expect(detail.split('\n').length).to.be.below(30);
    expect(detail.length).to.be.below(4_000);
    expect(detail)
      .to.contain('… and 492 more, which the window shows')
      .and.to.contain('(3,840 more characters)')
      .and.to.contain('(8,700 more characters)');
  });
});
