import { expect } from 'chai';
import { checkVotes } from './check-votes.spec.support.js';
import type { DecisionActivation, ScreenEvent, VoteProgress, BulkProgress } from './screen-observer.spec.support.js';

describe('monkey test: comparison of displayed and counted votes', () => {
  const confirmed: DecisionActivation = {
    kind: 'confirmed',
    control: 'form',
    approvalId: 'one',
    titles: ['One'],
    decision: 'approve',
    comment: 'Fine.',
    ready: true,
  };
  const voteProgress = (state: VoteProgress['state'], doing = 'Approving', title = 'One'): VoteProgress => ({
    kind: 'told',
    line: 1,
    title,
    doing,
    state,
  });
  const bulkConfirmation: DecisionActivation = {
    ...confirmed,
    control: 'together',
    titles: ['One', 'Two'],
    comment: '',
  };
  const bulkProgress = (state: BulkProgress['state'], counted: readonly string[] = []): BulkProgress => ({
    kind: 'together',
    state,
    counted,
  });
  const sent = [voteProgress('undoable'), voteProgress('sending'), voteProgress('gone')];
  const vote = { approvalId: 'one', title: 'One', decision: 'approve', comment: 'Fine.' };
  const cases: readonly {
    readonly name: string;
    readonly seen: readonly ScreenEvent[];
    readonly counted?: readonly (typeof vote)[];
    readonly isHighRisk?: boolean;
    readonly notJudged?: number;
    readonly fault?: RegExp;
  }[] = [
    { name: 'a vote with its confirmation', seen: [confirmed, ...sent], counted: [vote] },
    {
      name: 'a decision that was undone',
      seen: [confirmed, voteProgress('undoable'), { kind: 'undone' }, voteProgress('gone')],
    },
    {
      name: 'a decision that was refused and closed',
      seen: [
        confirmed,
        voteProgress('undoable'),
        voteProgress('sending'),
        voteProgress('failed'),
        voteProgress('gone'),
      ],
    },
    {
      name: 'a decision of unknown outcome that was recorded',
      seen: [confirmed, voteProgress('undoable'), voteProgress('sending'), voteProgress('unknown')],
      counted: [vote],
      notJudged: 1,
    },
    {
      name: 'a decision of unknown outcome that was not recorded',
      seen: [confirmed, voteProgress('undoable'), voteProgress('sending'), voteProgress('unknown')],
      notJudged: 1,
    },
    { name: 'a high-risk form that awaits a second confirmation', seen: [confirmed], isHighRisk: true },
    {
      name: 'edited arguments, which are a proposal and not a vote',
      seen: [
        { ...confirmed, control: 'dialog', decision: 'edit' },
        voteProgress('undoable', 'Changing the arguments of'),
        voteProgress('sending', 'Changing the arguments of'),
        voteProgress('gone'),
      ],
    },
    {
      name: 'a vote that was not confirmed',
      seen: [],
      counted: [vote],
      fault: /has a vote on “One” .* was not confirmed/,
    },
    { name: 'a duplicate vote', seen: [confirmed, ...sent], counted: [vote, vote], fault: /was not confirmed/ },
    {
      name: 'a vote for another approval',
      seen: [confirmed, ...sent],
      counted: [{ ...vote, approvalId: 'two', title: 'Two' }],
      fault: /has no such vote/,
    },
    {
      name: 'a vote for another round',
      seen: [confirmed, ...sent],
      counted: [{ ...vote, approvalId: 'two' }],
      fault: /another round/,
    },
    {
      name: 'another decision',
      seen: [confirmed, voteProgress('undoable', 'Rejecting')],
      fault: /in progress without a confirmation/,
    },
    {
      name: 'a truncated comment',
      seen: [confirmed, ...sent],
      counted: [{ ...vote, comment: 'Fi' }],
      fault: /“Fine.” was confirmed, but the server has “Fi”/,
    },
    {
      name: 'a confirmation without effect',
      seen: [confirmed],
      fault: /was confirmed \(approve\), but the decision was lost/,
    },
    {
      name: 'a decision that disappears from the screen',
      seen: [confirmed, voteProgress('undoable'), voteProgress('gone')],
      fault: /disappeared from the screen without a result/,
    },
    { name: 'a vote that was sent but not recorded', seen: [confirmed, ...sent], fault: /has no such vote/ },
    {
      name: 'a decision that was refused and repeated with another comment',
      seen: [
        confirmed,
        voteProgress('undoable'),
        voteProgress('sending'),
        voteProgress('failed'),
        { ...confirmed, comment: 'Again.' },
        ...sent,
      ],
      counted: [{ ...vote, comment: 'Again.' }],
    },
    {
      name: 'several approvals that were approved together',
      seen: [
        bulkProgress('asking'),
        bulkConfirmation,
        bulkProgress('undoable'),
        bulkProgress('sending'),
        bulkProgress('done', ['One']),
        bulkProgress('gone'),
      ],
      counted: [{ ...vote, comment: '' }],
    },
    {
      name: 'several approvals that were undone',
      seen: [
        bulkProgress('asking'),
        bulkConfirmation,
        bulkProgress('undoable'),
        { kind: 'undone' },
        bulkProgress('asking'),
        bulkProgress('gone'),
      ],
    },
    {
      name: 'several approvals of unknown outcome',
      seen: [
        bulkConfirmation,
        bulkProgress('undoable'),
        bulkProgress('sending'),
        bulkProgress('failed'),
        bulkProgress('gone'),
      ],
      counted: [{ ...vote, comment: '' }],
      notJudged: 2,
    },
    {
      name: 'several approvals that disappear during their undo window',
      seen: [bulkConfirmation, bulkProgress('undoable'), bulkProgress('gone')],
      fault: /together disappeared from the screen/,
    },
    {
      name: 'several approvals that were not confirmed',
      seen: [bulkProgress('asking'), bulkProgress('undoable'), { kind: 'undone' }, bulkProgress('asking')],
      fault: /about to be approved together without a confirmation/,
    },
  ];

  for (const { name, seen, counted = [], isHighRisk = false, notJudged = 0, fault } of cases) {
    it(`should ${fault === undefined ? 'accept' : 'find'} ${name}`, () => {
      const result = checkVotes({ seen, counted, needsConfirmation: () => isHighRisk });
      expect(result.unjudged).to.equal(notJudged);
      if (fault === undefined) expect(result.faults).to.deep.equal([]);
      else expect(result.faults.join('\n')).to.match(fault);
    });
  }
});
