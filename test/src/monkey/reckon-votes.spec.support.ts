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
  /** Everything that the screen showed, in order. */
  readonly seen: readonly Seen[];
  /** What the server has counted. */
  readonly counted: readonly CountedVote[];
  /** Whether approvals of this title, in any round, are asked about once more before they are approved. */
  asksAgain(title: string): boolean;
}

/** What does not fit, in sentences, and how many decisions can't be judged, as the screen did not tell what became of them. */
export interface Reckoning {
  readonly faults: readonly string[];
  readonly notJudged: number;
}

/** Compares the decisions that the server has counted with those that were confirmed on screen and not taken back. */
export function reckonVotes({ seen, counted, asksAgain }: ReckoningOptions): Reckoning {
  const faults: string[] = [];
  const confirmed: Entry[] = [];
  const underWay = new Map<number, Entry & { state: string }>();
  /** What the server must have. */
  const sent: Entry[] = [];
  /** What it may have: nobody was told. */
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
        // Other arguments are a proposal, which someone else decides: no vote.
        if (entry.state === 'sending' && entry.decision !== 'edit') sent.push(entry);
        if (entry.state === 'unknown') unknown.push(entry);
        if (entry.state === 'grace' && !asked)
          faults.push(`The decision on “${entry.title}” (${entry.decision}) has disappeared, and nobody was told.`);
        continue;
      }
      // What was not counted may be decided once more, on the same line.
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
  /** The vote on what the screen showed; otherwise one on another round of it. */
  const take = ({ approvalId, title, decision }: Entry): CountedVote | undefined => {
    const exact = left.findIndex((vote) => vote.approvalId === approvalId && vote.decision === decision);
    const index = exact >= 0 ? exact : left.findIndex((vote) => vote.title === title && vote.decision === decision);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  // Those that the screen named by their approval first: several may have the same title.
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
