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
  const several: DecisionActivation = { ...confirmed, control: 'together', titles: ['One', 'Two'], comment: '' };
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
    readonly strict?: boolean;
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
    { name: 'a high-risk form that awaits a second confirmation', seen: [confirmed], strict: true },
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
      fault: /has a vote on “One” .* nobody has confirmed/,
    },
    { name: 'a duplicate vote', seen: [confirmed, ...sent], counted: [vote, vote], fault: /nobody has confirmed/ },
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
      fault: /on its way, and nobody has confirmed it/,
    },
    {
      name: 'a truncated comment',
      seen: [confirmed, ...sent],
      counted: [{ ...vote, comment: 'Fi' }],
      fault: /“Fine.” was confirmed, “Fi” has arrived/,
    },
    { name: 'a confirmation without effect', seen: [confirmed], fault: /was confirmed \(approve\), and that was lost/ },
    {
      name: 'a decision that disappears from the screen',
      seen: [confirmed, voteProgress('undoable'), voteProgress('gone')],
      fault: /has disappeared, and nobody was told/,
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
        several,
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
        several,
        bulkProgress('undoable'),
        { kind: 'undone' },
        bulkProgress('asking'),
        bulkProgress('gone'),
      ],
    },
    {
      name: 'several approvals of unknown outcome',
      seen: [several, bulkProgress('undoable'), bulkProgress('sending'), bulkProgress('failed'), bulkProgress('gone')],
      counted: [{ ...vote, comment: '' }],
      notJudged: 2,
    },
    {
      name: 'several approvals that disappear during their undo window',
      seen: [several, bulkProgress('undoable'), bulkProgress('gone')],
      fault: /together has disappeared/,
    },
    {
      name: 'several approvals that were not confirmed',
      seen: [bulkProgress('asking'), bulkProgress('undoable'), { kind: 'undone' }, bulkProgress('asking')],
      fault: /about to be approved together, and nobody has confirmed/,
    },
  ];

  for (const { name, seen, counted = [], strict = false, notJudged = 0, fault } of cases) {
    it(`should ${fault === undefined ? 'accept' : 'find'} ${name}`, () => {
      const found = checkVotes({ seen, counted, needsConfirmation: () => strict });
      expect(found.unjudged).to.equal(notJudged);
      if (fault === undefined) expect(found.faults).to.deep.equal([]);
      else expect(found.faults.join('\n')).to.match(fault);
    });
  }
});
