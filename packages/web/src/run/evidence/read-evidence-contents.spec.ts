import { expect } from 'chai';
import { readEvidenceContents } from './read-evidence-contents.js';

const VOTE = {
  decision: 'approve',
  by: 'ada',
  byName: 'Ada Lovelace',
  inPlaceOf: null,
  at: '2026-01-01T10:00:00.000Z',
  digest: 'sha256:ab',
  signature: 'a.b.c',
};

describe('readEvidenceContents()', () => {
  it('should list the votes of all approvals, oldest first', () => {
    const { votes, approvalCount } = readEvidenceContents({
      approvals: [
        { title: 'Second', round: 2, votes: [{ ...VOTE, at: '2026-01-02T10:00:00.000Z', counts: false }] },
        { title: 'First', round: 1, votes: [{ ...VOTE, signature: null, byName: null }] },
      ],
    });
    expect(approvalCount).to.equal(2);
    expect(votes.map(({ title, voter, isSigned, counts }) => [title, voter, isSigned, counts])).to.deep.equal([
      ['First', 'ada', false, true],
      ['Second', 'Ada Lovelace (ada)', true, false],
    ]);
  });

  it('should count the policy decisions of events by their effect', () => {
    const policyEvent = (decision: unknown) => ({ data: { policyDecision: { decision } } });
    const { policyDecisions } = readEvidenceContents({
      events: [policyEvent('allow'), policyEvent('allow'), policyEvent('deny'), policyEvent(7), { data: {} }],
      steps: [{ policyDecision: { decision: 'require_approval' } }],
    });
    expect([...policyDecisions]).to.deep.equal([
      ['allow', 2],
      ['deny', 1],
    ]);
  });

  it('should list comments with the title of their approval, also if their texts were erased', () => {
    const comment = { type: 'approval.commented', at: VOTE.at, data: { approvalId: 'a', round: 2 } };
    const { comments } = readEvidenceContents({
      approvals: [
        { approvalId: 'b', title: 'Other' },
        { approvalId: 'a', title: 'Pay' },
      ],
      events: [
        { ...comment, private: { actor: { id: 'ada', name: 'Ada Lovelace' }, text: 'Why so much?' } },
        { ...comment, private: null, data: { approvalId: 'gone' } },
        { type: 'approval.requested', at: VOTE.at, private: { text: 'no comment' } },
      ],
    });
    expect(comments).to.deep.equal([
      { author: 'Ada Lovelace (ada)', title: 'Pay', round: 2, text: 'Why so much?', at: VOTE.at },
      { author: null, title: null, round: null, text: null, at: VOTE.at },
    ]);
  });

  it('should list only answered questions', () => {
    const { answers } = readEvidenceContents({
      questions: [
        { status: 'pending', text: 'When?' },
        { status: 'answered', text: 'Who?', answer: { team: 'red' }, answeredBy: null, closedAt: VOTE.at },
      ],
    });
    expect(answers).to.deep.equal([{ question: 'Who?', answer: '{"team":"red"}', answeredBy: null, at: VOTE.at }]);
  });

  const unexpectedPacks: readonly unknown[] = [
    null,
    7,
    'text',
    [],
    { approvals: 'none', events: {}, run: null, chain: [], questions: [null], artifacts: [[], 7] },
    { events: [{ type: 'approval.commented', data: [], private: { actor: 'ada', text: {} } }, 7] },
    { approvals: [{ title: {}, round: 'x', votes: [{ at: 'yesterday', by: 7, decision: [] }, null] }] },
    { generatedAt: 'soon', run: { startedAt: 12 }, workflow: { version: '1' }, artifacts: [{ size: 'large' }] },
  ];
  for (const pack of unexpectedPacks) {
    it(`should treat values of other types as missing in ${JSON.stringify(pack)}`, () => {
      const { votes, generatedAt, startedAt, workflow, artifacts } = readEvidenceContents(pack);
      for (const { at, voter, decision, title, round } of votes)
        expect([at, voter, decision, title, round]).to.deep.equal([null, null, null, null, null]);
      expect([generatedAt, startedAt, workflow.version]).to.deep.equal([null, null, null]);
      for (const { size } of artifacts) expect(size).to.equal(null);
    });
  }
});
