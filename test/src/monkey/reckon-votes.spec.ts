import { expect } from 'chai';
import { reckonVotes } from './reckon-votes.spec.support.js';
import type { Confirmed, Seen, Told, ToldTogether } from './screen-witness.spec.support.js';

describe('monkey test: comparison of displayed and counted votes', () => {
  const confirmed: Confirmed = {
    kind: 'confirmed',
    control: 'form',
    approvalId: 'one',
    titles: ['One'],
    decision: 'approve',
    comment: 'Fine.',
    ready: true,
  };
  const told = (state: Told['state'], doing = 'Approving', title = 'One'): Told => ({
    kind: 'told',
    line: 1,
    title,
    doing,
    state,
  });
  const several: Confirmed = { ...confirmed, control: 'together', titles: ['One', 'Two'], comment: '' };
  const together = (state: ToldTogether['state'], counted: readonly string[] = []): ToldTogether => ({
    kind: 'together',
    state,
    counted,
  });
  const sent = [told('grace'), told('sending'), told('gone')];
  const vote = { approvalId: 'one', title: 'One', decision: 'approve', comment: 'Fine.' };
  const cases: readonly {
    readonly name: string;
    readonly seen: readonly Seen[];
    readonly counted?: readonly (typeof vote)[];
    readonly strict?: boolean;
    readonly notJudged?: number;
    readonly fault?: RegExp;
  }[] = [
    { name: 'a vote with its confirmation', seen: [confirmed, ...sent], counted: [vote] },
    { name: 'a decision that was undone', seen: [confirmed, told('grace'), { kind: 'undone' }, told('gone')] },
    {
      name: 'a decision that was refused and closed',
      seen: [confirmed, told('grace'), told('sending'), told('failed'), told('gone')],
    },
    {
      name: 'a decision of unknown outcome that was recorded',
      seen: [confirmed, told('grace'), told('sending'), told('unknown')],
      counted: [vote],
      notJudged: 1,
    },
    {
      name: 'a decision of unknown outcome that was not recorded',
      seen: [confirmed, told('grace'), told('sending'), told('unknown')],
      notJudged: 1,
    },
    { name: 'a high-risk form that awaits a second confirmation', seen: [confirmed], strict: true },
    {
      name: 'edited arguments, which are a proposal and not a vote',
      seen: [
        { ...confirmed, control: 'dialog', decision: 'edit' },
        told('grace', 'Changing the arguments of'),
        told('sending', 'Changing the arguments of'),
        told('gone'),
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
      seen: [confirmed, told('grace', 'Rejecting')],
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
      seen: [confirmed, told('grace'), told('gone')],
      fault: /has disappeared, and nobody was told/,
    },
    { name: 'a vote that was sent but not recorded', seen: [confirmed, ...sent], fault: /has no such vote/ },
    {
      name: 'a decision that was refused and repeated with another comment',
      seen: [confirmed, told('grace'), told('sending'), told('failed'), { ...confirmed, comment: 'Again.' }, ...sent],
      counted: [{ ...vote, comment: 'Again.' }],
    },
    {
      name: 'several approvals that were approved together',
      seen: [
        together('asking'),
        several,
        together('grace'),
        together('sending'),
        together('done', ['One']),
        together('gone'),
      ],
      counted: [{ ...vote, comment: '' }],
    },
    {
      name: 'several approvals that were undone',
      seen: [together('asking'), several, together('grace'), { kind: 'undone' }, together('asking'), together('gone')],
    },
    {
      name: 'several approvals of unknown outcome',
      seen: [several, together('grace'), together('sending'), together('failed'), together('gone')],
      counted: [{ ...vote, comment: '' }],
      notJudged: 2,
    },
    {
      name: 'several approvals that disappear during their undo window',
      seen: [several, together('grace'), together('gone')],
      fault: /together has disappeared/,
    },
    {
      name: 'several approvals that were not confirmed',
      seen: [together('asking'), together('grace'), { kind: 'undone' }, together('asking')],
      fault: /about to be approved together, and nobody has confirmed/,
    },
  ];

  for (const { name, seen, counted = [], strict = false, notJudged = 0, fault } of cases) {
    it(`should ${fault === undefined ? 'accept' : 'find'} ${name}`, () => {
      const found = reckonVotes({ seen, counted, asksAgain: () => strict });
      expect(found.notJudged).to.equal(notJudged);
      if (fault === undefined) expect(found.faults).to.deep.equal([]);
      else expect(found.faults.join('\n')).to.match(fault);
    });
  }
});
