import type { Arc, Choice, TokenNet, Transition } from './token-net.js';

/** Maximum work for one net, in tokens visited. Results found before the limit remain valid. */
const MAX_WORK = 30_000;

/** A marking that a run can reach, with the choices that lead to it. */
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
  readonly previous: Marking | undefined;
  readonly transition: Transition | undefined;
  /** Number of choices on the path to this marking. */
  readonly cost: number;
}

/**
 * Explores a net from its first token, markings with few choices first. Each result occurs in a run that makes the
 * choices listed with it, provided that the variables allow each of these choices.
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
  readonly #levels: Marking[][] = [[{ tokens: [0], previous: undefined, transition: undefined, cost: 0 }]];
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

  #fire(marking: Marking, transition: Transition): void {
    const remaining = transition.clears ? [] : marking.tokens.filter((place) => !transition.inputs.includes(place));
    const tokens = [...remaining, ...transition.outputs.map(({ place }) => place)].sort((a, b) => a - b);
    this.#work += tokens.length;
    const next = { tokens, previous: marking, transition, cost: marking.cost + (this.#isChoice(transition) ? 1 : 0) };
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

  /** Returns whether a transition is a choice, which requires an alternative transition. */
  #isChoice({ choice, inputs }: Transition): boolean {
    return choice !== null && (this.#consumerCounts[inputs[0] ?? 0] ?? 0) > 1;
  }

  #collectChoices(marking: Marking): readonly Choice[] {
    const choices: Choice[] = [];
    for (let current: Marking | undefined = marking; current?.transition !== undefined; current = current.previous) {
      this.#work += 1;
      if (current.transition.choice !== null && this.#isChoice(current.transition))
        choices.push(current.transition.choice);
    }
    return choices.reverse();
  }
}

/** Returns the last arcs on which tokens arrived at a place. */
function findLastArcs(marking: Marking, place: number): readonly Arc[] {
  const arcs: Arc[] = [];
  for (
    let current: Marking | undefined = marking;
    current?.transition !== undefined && arcs.length < 2;
    current = current.previous
  ) {
    // A token that a transition returns to its input place does not count as an arrival.
    const keepsToken = current.transition.inputs.includes(place);
    arcs.push(
      ...current.transition.outputs.filter((arc) => arc.place === place && !(keepsToken && arc.via.length === 0)),
    );
  }
  return arcs;
}
