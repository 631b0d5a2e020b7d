import type { CountedVote } from './monkey-inbox.spec.support.js';
import type { Confirmed, Seen, ToldTogether } from './screen-witness.spec.support.js';

const DOING: Readonly<Record<string, string>> = {
  approve: 'Approving',
  edit: 'Changing the arguments of',
  reject: 'Rejecting',
  request_changes: 'Requesting changes for',
};

type Entry = Pick<Confirmed, 'approvalId' | 'decision' | 'comment'> & { readonly title: string };

interface ReckoningOptions {
  /** Everything that the screen displayed, in order. */
  readonly seen: readonly Seen[];
  /** Votes that the server has recorded. */
  readonly counted: readonly CountedVote[];
  /** Returns whether approvals with this title, in any round, need a second confirmation. */
  asksAgain(title: string): boolean;
}

/** Mismatches as sentences, and the number of decisions whose outcome the screen left open. */
export interface Reckoning {
  readonly faults: readonly string[];
  readonly notJudged: number;
}

/** Compares the votes recorded by the server with the decisions that were confirmed on screen and not undone. */
export function reckonVotes({ seen, counted, asksAgain }: ReckoningOptions): Reckoning {
  const faults: string[] = [];
  const confirmed: Entry[] = [];
  const underWay = new Map<number, Entry & { state: string }>();
  /** Votes that the server must have. */
  const sent: Entry[] = [];
  /** Votes that the server may have: the screen did not display their outcome. */
  const unknown: Entry[] = [];
  let together: readonly Entry[] = [];
  let togetherState: ToldTogether['state'] = 'gone';
  let asked = false;

  for (const each of seen) {
    if (each.kind === 'undone') {
      asked = true;
    } else if (each.kind === 'confirmed') {
      const { control, titles, decision, ready, approvalId, comment } = each;
      const decides =
        control !== 'form' || (ready && decision !== 'edit' && !(decision === 'approve' && asksAgain(titles[0] ?? '')));
      if (!decides) continue;
      asked = false;
      if (control === 'together') together = titles.map((title) => ({ approvalId: '', title, decision, comment }));
      else confirmed.push({ approvalId, title: titles[0] ?? '', decision, comment });
    } else if (each.kind === 'together') {
      const { state, counted: titles } = each;
      if (state === 'grace' && together.length === 0)
        faults.push('Several are about to be approved together, and nobody has confirmed it.');
      if (state === 'gone' && togetherState === 'grace')
        faults.push(`Approving ${listOf(together)} together has disappeared, and nobody was told.`);
      if (state === 'gone' && (togetherState === 'sending' || togetherState === 'failed')) unknown.push(...together);
      if (state === 'done')
        sent.push(...titles.map((title) => ({ approvalId: '', title, decision: 'approve', comment: '' })));
      if (state === 'asking' || state === 'done' || state === 'gone') together = [];
      togetherState = state;
    } else {
      const { line, title, doing, state } = each;
      const entry = underWay.get(line);
      if (state === 'gone') {
        underWay.delete(line);
        if (entry === undefined) continue;
        // Edited arguments are a proposal for another approver, not a vote.
        if (entry.state === 'sending' && entry.decision !== 'edit') sent.push(entry);
        if (entry.state === 'unknown') unknown.push(entry);
        if (entry.state === 'grace' && !asked)
          faults.push(`The decision on “${entry.title}” (${entry.decision}) has disappeared, and nobody was told.`);
        continue;
      }
      // A decision that was not recorded may be repeated on the same line.
      const again = entry?.state === 'failed' && state === 'grace';
      if (entry !== undefined && !again && DOING[entry.decision] === doing) {
        entry.state = state;
        continue;
      }
      const index = confirmed.findIndex((one) => one.title === title && DOING[one.decision] === doing);
      const [by] = index < 0 ? [] : confirmed.splice(index, 1);
      if (by === undefined) faults.push(`${doing} “${title}” is on its way, and nobody has confirmed it.`);
      else underWay.set(line, { ...by, state });
    }
  }
  const left = [...underWay.values()];
  unknown.push(...left.filter(({ state }) => state === 'unknown'));
  for (const { title, decision } of confirmed)
    faults.push(`“${title}” was confirmed (${decision}), and that was lost.`);
  for (const { title, state } of left)
    if (state === 'grace' || state === 'sending') faults.push(`The decision on “${title}” is still ${state}.`);
  if (togetherState === 'grace' || togetherState === 'sending')
    faults.push(`Approving ${listOf(together)} together is still ${togetherState}.`);
  return { faults: [...faults, ...compare(sent, unknown, counted)], notJudged: unknown.length };
}

function listOf(entries: readonly Entry[]): string {
  return entries.map(({ title }) => `“${title}”`).join(', ');
}

function compare(sent: readonly Entry[], unknown: readonly Entry[], counted: readonly CountedVote[]): string[] {
  const faults: string[] = [];
  const left = [...counted];
  /** Takes the vote on the displayed round, or else one on another round. */
  const take = ({ approvalId, title, decision }: Entry): CountedVote | undefined => {
    const exact = left.findIndex((vote) => vote.approvalId === approvalId && vote.decision === decision);
    const index = exact >= 0 ? exact : left.findIndex((vote) => vote.title === title && vote.decision === decision);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  // First the entries for which the screen named the approval, because titles may be equal.
  for (const entry of [...sent].sort((a, b) => Number(a.approvalId === '') - Number(b.approvalId === ''))) {
    const vote = take(entry);
    if (vote === undefined)
      faults.push(`“${entry.title}” was sent (${entry.decision}), and the server has no such vote.`);
    else if (vote.comment !== entry.comment)
      faults.push(`“${entry.title}”: “${entry.comment}” was confirmed, “${vote.comment}” has arrived.`);
    else if (entry.approvalId !== '' && vote.approvalId !== entry.approvalId)
      faults.push(`“${entry.title}”: the vote is for another round than the one on screen.`);
  }
  for (const entry of unknown) take(entry);
  for (const { title, decision } of left)
    faults.push(`The server has a vote on “${title}” (${decision}) that nobody has confirmed.`);
  return faults;
}
