import type { Arc, Choice, TokenNet, Transition } from './token-net.js';

/** Maximum work for one net, in tokens visited. Results found before the limit remain valid. */
const MAX_WORK = 30_000;

/** A situation that a run can reach, with the choices that lead there. */
interface Ending {
  readonly choices: readonly Choice[];
}

/** A marking in which tokens wait at joins and no transition can fire. */
export interface Deadlock extends Ending {
  /** The places that hold these tokens. */
  readonly places: readonly number[];
}

/** A marking in which a second token reaches a place that already holds one. */
export interface UnsafeMarking extends Ending {
  /** The arcs on which the tokens arrived: at least two. */
  readonly arcs: readonly Arc[];
}

export interface Exploration {
  readonly stuck: readonly Deadlock[];
  readonly doubled: readonly UnsafeMarking[];
}

interface Marking {
  /** The places that hold one token each, in ascending order. */
  readonly tokens: readonly number[];
  readonly before: Marking | undefined;
  readonly by: Transition | undefined;
  /** Number of choices on the path to this marking. */
  readonly cost: number;
}

/**
 * Explores a net from its first token, markings with few choices first. Each result occurs in a run with the choices
 * listed with it. The only assumption about variables is that each of these choices is possible.
 */
export function exploreNet(net: TokenNet): Exploration {
  return new NetExplorer(net).play();
}

class NetExplorer {
  /** Transitions by their first input place. */
  readonly #moves: readonly Transition[][];
  /** Number of transitions that take tokens from each place. */
  readonly #takers: readonly number[];
  readonly #stuck: Deadlock[] = [];
  readonly #doubled: UnsafeMarking[] = [];
  readonly #seen = new Set(['0']);
  readonly #levels: Marking[][] = [[{ tokens: [0], before: undefined, by: undefined, cost: 0 }]];
  #work = 0;

  constructor({ places, transitions }: TokenNet) {
    const moves: Transition[][] = places.map(() => []);
    const takers = places.map(() => 0);
    for (const transition of transitions) {
      moves[transition.inputs[0] ?? 0]?.push(transition);
      for (const place of transition.inputs) takers[place] = (takers[place] ?? 0) + 1;
    }
    this.#moves = moves;
    this.#takers = takers;
  }

  play(): Exploration {
    for (let cost = 0; cost < this.#levels.length; cost += 1) {
      // A level grows while it is explored.
      for (const marking of this.#levels[cost] ?? []) {
        if (this.#work > MAX_WORK) return { stuck: this.#stuck, doubled: this.#doubled };
        this.#playFrom(marking);
      }
    }
    return { stuck: this.#stuck, doubled: this.#doubled };
  }

  #playFrom(marking: Marking): void {
    const held = new Set(marking.tokens);
    let moves = 0;
    for (const token of marking.tokens) {
      for (const transition of this.#moves[token] ?? []) {
        this.#work += transition.inputs.length;
        if (!transition.inputs.every((place) => held.has(place))) continue;
        moves += 1;
        if (transition.unsure === null) this.#move(marking, transition);
      }
    }
    this.#work += held.size;
    if (moves > 0 || held.size === 0) return;
    this.#stuck.push({ places: marking.tokens, choices: this.#choicesOf(marking) });
  }

  #move(marking: Marking, by: Transition): void {
    const kept = by.clears ? [] : marking.tokens.filter((place) => !by.inputs.includes(place));
    const tokens = [...kept, ...by.outputs.map(({ place }) => place)].sort((a, b) => a - b);
    this.#work += tokens.length;
    const next = { tokens, before: marking, by, cost: marking.cost + (this.#isChoice(by) ? 1 : 0) };
    const twice = tokens.find((place, index) => tokens[index + 1] === place);
    if (twice !== undefined) {
      const arcs = lastArcs(next, twice);
      if (arcs.length > 1) this.#doubled.push({ arcs, choices: this.#choicesOf(next) });
      return;
    }
    const key = tokens.join();
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    (this.#levels[next.cost] ??= []).push(next);
  }

  /** Returns whether a transition is a choice: a transition without alternatives is not. */
  #isChoice({ choice, inputs }: Transition): boolean {
    return choice !== null && (this.#takers[inputs[0] ?? 0] ?? 0) > 1;
  }

  #choicesOf(marking: Marking): readonly Choice[] {
    const choices: Choice[] = [];
    for (let at: Marking | undefined = marking; at?.by !== undefined; at = at.before) {
      this.#work += 1;
      if (at.by.choice !== null && this.#isChoice(at.by)) choices.push(at.by.choice);
    }
    return choices.reverse();
  }
}

/** Returns the last arcs on which tokens arrived at a place. */
function lastArcs(marking: Marking, place: number): readonly Arc[] {
  const arcs: Arc[] = [];
  for (let at: Marking | undefined = marking; at?.by !== undefined && arcs.length < 2; at = at.before) {
    // A token that a transition returns to its input place does not count as an arrival.
    const stays = at.by.inputs.includes(place);
    arcs.push(...at.by.outputs.filter((arc) => arc.place === place && !(stays && arc.via.length === 0)));
  }
  return arcs;
}
