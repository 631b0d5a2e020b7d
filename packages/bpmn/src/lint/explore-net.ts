import type { Arc, Choice, TokenNet, Transition } from './token-net.js';

/** Maximum work for one net, in tokens visited. Results found before the limit remain valid. */
const MAX_WORK = 30_000;

/** A situation that a run can reach, with the choices that lead there. */
interface ExplorationResult {
  readonly choices: readonly Choice[];
}

/** A marking in which tokens wait at joins and no transition can fire. */
export interface Deadlock extends ExplorationResult {
  /** The places that hold these tokens. */
  readonly places: readonly number[];
}

/** A marking in which a second token reaches a place that already holds one. */
export interface UnsafeMarking extends ExplorationResult {
  /** The arcs on which the tokens arrived: at least two. */
  readonly arcs: readonly Arc[];
}

export interface Exploration {
  readonly deadlocks: readonly Deadlock[];
  readonly unsafeMarkings: readonly UnsafeMarking[];
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
  return new NetExplorer(net).explore();
}

class NetExplorer {
  /** Transitions by their first input place. */
  readonly #transitionsByPlace: readonly Transition[][];
  /** Number of transitions that take tokens from each place. */
  readonly #consumerCounts: readonly number[];
  readonly #deadlocks: Deadlock[] = [];
  readonly #unsafeMarkings: UnsafeMarking[] = [];
  readonly #seen = new Set(['0']);
  readonly #levels: Marking[][] = [[{ tokens: [0], before: undefined, by: undefined, cost: 0 }]];
  #work = 0;

  constructor({ places, transitions }: TokenNet) {
    const moves: Transition[][] = places.map(() => []);
    const consumerCounts = places.map(() => 0);
    for (const transition of transitions) {
      moves[transition.inputs[0] ?? 0]?.push(transition);
      for (const place of transition.inputs) consumerCounts[place] = (consumerCounts[place] ?? 0) + 1;
    }
    this.#transitionsByPlace = moves;
    this.#consumerCounts = consumerCounts;
  }

  explore(): Exploration {
    for (let cost = 0; cost < this.#levels.length; cost += 1) {
      // A level grows while it is explored.
      for (const marking of this.#levels[cost] ?? []) {
        if (this.#work > MAX_WORK) return { deadlocks: this.#deadlocks, unsafeMarkings: this.#unsafeMarkings };
        this.#exploreFrom(marking);
      }
    }
    return { deadlocks: this.#deadlocks, unsafeMarkings: this.#unsafeMarkings };
  }

  #exploreFrom(marking: Marking): void {
    const markedPlaces = new Set(marking.tokens);
    let moves = 0;
    for (const token of marking.tokens) {
      for (const transition of this.#transitionsByPlace[token] ?? []) {
        this.#work += transition.inputs.length;
        if (!transition.inputs.every((place) => markedPlaces.has(place))) continue;
        moves += 1;
        if (transition.approximation === null) this.#fire(marking, transition);
      }
    }
    this.#work += markedPlaces.size;
    if (moves > 0 || markedPlaces.size === 0) return;
    this.#deadlocks.push({ places: marking.tokens, choices: this.#collectChoices(marking) });
  }

  #fire(marking: Marking, by: Transition): void {
    const remaining = by.clears ? [] : marking.tokens.filter((place) => !by.inputs.includes(place));
    const tokens = [...remaining, ...by.outputs.map(({ place }) => place)].sort((a, b) => a - b);
    this.#work += tokens.length;
    const next = { tokens, before: marking, by, cost: marking.cost + (this.#isChoice(by) ? 1 : 0) };
    const duplicatePlace = tokens.find((place, index) => tokens[index + 1] === place);
    if (duplicatePlace !== undefined) {
      const arcs = findLastArcs(next, duplicatePlace);
      if (arcs.length > 1) this.#unsafeMarkings.push({ arcs, choices: this.#collectChoices(next) });
      return;
    }
    const key = tokens.join();
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    (this.#levels[next.cost] ??= []).push(next);
  }

  /** Returns whether a transition is a choice: a transition without alternatives is not. */
  #isChoice({ choice, inputs }: Transition): boolean {
    return choice !== null && (this.#consumerCounts[inputs[0] ?? 0] ?? 0) > 1;
  }

  #collectChoices(marking: Marking): readonly Choice[] {
    const choices: Choice[] = [];
    for (let current: Marking | undefined = marking; current?.by !== undefined; current = current.before) {
      this.#work += 1;
      if (current.by.choice !== null && this.#isChoice(current.by)) choices.push(current.by.choice);
    }
    return choices.reverse();
  }
}

/** Returns the last arcs on which tokens arrived at a place. */
function findLastArcs(marking: Marking, place: number): readonly Arc[] {
  const arcs: Arc[] = [];
  for (
    let current: Marking | undefined = marking;
    current?.by !== undefined && arcs.length < 2;
    current = current.before
  ) {
    // A token that a transition returns to its input place does not count as an arrival.
    const keepsToken = current.by.inputs.includes(place);
    arcs.push(...current.by.outputs.filter((arc) => arc.place === place && !(keepsToken && arc.via.length === 0)));
  }
  return arcs;
}
