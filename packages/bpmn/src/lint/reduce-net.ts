import type { Arc, Place, TokenNet, Transition } from './token-net.js';

/**
 * Maximum number of steps. After that, reduction stops, and the partly reduced net is analyzed unless it is still too
 * large.
 */
const MAX_STEPS = 3_000_000;
const MAX_PASSES = 200;
/** Maximum number of merges recorded on an arc: only the first ones matter. */
const MAX_VIA_ELEMENTS = 100;
/**
 * Maximum number of arcs recorded from a transition to one place. Two already prove a defect; the others only add merge
 * points to the findings.
 */
const MAX_ARCS = 8;

/**
 * Reduces a net without changing its behavior: sequences become one place, and properly nested blocks disappear. A
 * well-structured model is reduced to almost nothing.
 *
 * The rules are fusion of series and parallel places and transitions, and elimination of self-loops: T. Murata, "Petri
 * Nets: Properties, Analysis and Applications" (1989), section V. The work is bounded by counted steps.
 */
export function reduceNet(net: TokenNet): TokenNet {
  const reducer = new NetReducer(net);
  for (let pass = 0; pass < MAX_PASSES && reducer.reducePass(); pass += 1);
  return reducer.buildNet();
}

interface MutableTransition {
  readonly inputs: Set<number>;
  /** Arcs by target place; a map, so that adding and removing an arc takes constant time. */
  readonly outputs: Map<number, readonly Arc[]>;
  approximation: Transition['approximation'];
  join: string | null;
  readonly clears: boolean;
  readonly choice: Transition['choice'];
}

class NetReducer {
  readonly #places: (Place | undefined)[];
  readonly #transitions: (MutableTransition | undefined)[];
  readonly #producers: Set<number>[];
  readonly #consumers: Set<number>[];
  #steps = 0;

  constructor(net: TokenNet) {
    this.#places = [...net.places];
    this.#producers = net.places.map(() => new Set<number>());
    this.#consumers = net.places.map(() => new Set<number>());
    this.#transitions = net.transitions.map((each, index) => {
      const outputs = new Map<number, readonly Arc[]>();
      for (const arc of each.outputs) this.#addArc(outputs, arc, index);
      for (const place of each.inputs) this.#consumers[place]?.add(index);
      return { ...each, inputs: new Set(each.inputs), outputs };
    });
  }

  /**
   * Applies every rule everywhere once.
   *
   * @returns whether anything changed
   */
  reducePass(): boolean {
    let changed = false;
    for (const [index, transition] of this.#transitions.entries()) {
      if (this.#steps > MAX_STEPS) return false;
      this.#steps += 1;
      if (transition === undefined) continue;
      const applied =
        this.#dropSelfLoop(index, transition) ||
        this.#fusePlaces(index, transition) ||
        this.#fuseTransitions(index, transition) ||
        this.#resolveSpread(index, transition);
      changed ||= applied;
    }
    const transitions = this.#dropEqualTransitions();
    return this.#dropEqualPlaces() || transitions || changed;
  }

  buildNet(): TokenNet {
    const keptPlaces = [...this.#places.keys()].filter((index) => this.#places[index] !== undefined);
    const newIndexByPlace = new Map(keptPlaces.map((place, index) => [place, index]));
    const toNewIndex = (place: number): number => newIndexByPlace.get(place) ?? 0;
    return {
      places: keptPlaces.map((index) => this.#places[index]).filter((place) => place !== undefined),
      transitions: this.#transitions
        .filter((each) => each !== undefined)
        .map((each) => ({
          ...each,
          inputs: [...each.inputs].map(toNewIndex),
          outputs: [...each.outputs.values()].flat().map(({ place, via }) => ({ place: toNewIndex(place), via })),
        })),
    };
  }

  #addArc(outputs: Map<number, readonly Arc[]>, arc: Arc, index: number): void {
    this.#steps += 1;
    const existing = outputs.get(arc.place) ?? [];
    if (existing.length < MAX_ARCS) outputs.set(arc.place, [...existing, arc]);
    this.#producers[arc.place]?.add(index);
  }

  /** Removes a transition that only returns its input token to the same place. */
  #dropSelfLoop(index: number, { inputs, outputs, clears, join }: MutableTransition): boolean {
    const [input] = inputs;
    if (clears || join !== null || input === undefined || inputs.size !== 1 || outputs.size !== 1) return false;
    if (outputs.get(input)?.length !== 1) return false;
    this.#remove(index);
    return true;
  }

  /** Fuses two places if a token in the first one can only move to the second one. */
  #fusePlaces(index: number, { inputs, outputs, clears, approximation }: MutableTransition): boolean {
    const [from] = inputs;
    const [arcs] = outputs.values();
    const [arc] = arcs ?? [];
    if (clears || approximation !== null || from === undefined || arc === undefined) return false;
    if (inputs.size !== 1 || outputs.size !== 1 || arcs?.length !== 1) return false;
    if (from === arc.place || this.#consumers[from]?.size !== 1) return false;
    // The first place holds the initial token, so it keeps its number.
    const canRenumber = this.#producers[arc.place]?.size === 1 && arc.via.length === 0;
    if (from === 0 && !canRenumber) return false;
    this.#remove(index);
    if (canRenumber) this.#renumber(arc.place, from);
    else this.#redirect(from, arc);
    return true;
  }

  /**
   * Replaces the earlier of two equivalent places by the later one, which takes over the number of the earlier place.
   */
  #renumber(later: number, earlier: number): void {
    for (const index of this.#consumers[later] ?? []) {
      this.#steps += 1;
      this.#transitions[index]?.inputs.delete(later);
      this.#transitions[index]?.inputs.add(earlier);
      this.#consumers[earlier]?.add(index);
    }
    this.#places[earlier] = this.#places[later];
    this.#places[later] = undefined;
    this.#consumers[later]?.clear();
  }

  #redirect(from: number, to: Arc): void {
    for (const index of this.#producers[from] ?? []) {
      const outputs = this.#transitions[index]?.outputs;
      const arcs = outputs?.get(from);
      if (outputs === undefined || arcs === undefined) continue;
      outputs.delete(from);
      for (const { via } of arcs) this.#addArc(outputs, { place: to.place, via: joinPaths(via, to.via) }, index);
    }
    this.#places[from] = undefined;
    this.#producers[from]?.clear();
  }

  /** Fuses two transitions if the later one always follows the earlier one and has no other input. */
  #fuseTransitions(index: number, later: MutableTransition): boolean {
    const [sharedPlace] = later.inputs;
    if (
      sharedPlace === undefined ||
      sharedPlace === 0 ||
      later.inputs.size !== 1 ||
      later.clears ||
      later.approximation !== null
    )
      return false;
    const producers = this.#producers[sharedPlace];
    if (this.#consumers[sharedPlace]?.size !== 1 || producers?.size !== 1) return false;
    const [earlierIndex] = producers;
    const earlier = earlierIndex === undefined ? undefined : this.#transitions[earlierIndex];
    if (earlierIndex === undefined || earlierIndex === index || earlier === undefined || earlier.approximation !== null)
      return false;
    const [arc, second] = earlier.outputs.get(sharedPlace) ?? [];
    if (arc === undefined || second !== undefined) return false;
    this.#remove(index);
    earlier.outputs.delete(sharedPlace);
    for (const { place, via } of [...later.outputs.values()].flat()) {
      this.#addArc(earlier.outputs, { place, via: joinPaths(arc.via, via) }, earlierIndex);
    }
    this.#places[sharedPlace] = undefined;
    return true;
  }

  /**
   * If all flows of an inclusive gateway meet at another gateway that waits for them, replaces their tokens with a
   * single token (BPMN 2.0, 13.4.3).
   */
  #resolveSpread(index: number, transition: MutableTransition): boolean {
    const [arcs] = transition.outputs.values();
    const [first] = arcs ?? [];
    if (transition.approximation !== 'spread' || first === undefined || transition.outputs.size !== 1) return false;
    if (this.#places[first.place]?.gathers !== true) return false;
    transition.outputs.set(first.place, [first]);
    transition.approximation = null;
    const producers = this.#producers[first.place];
    if (producers?.size !== 1 || !producers.has(index)) return true;
    for (const consumer of this.#consumers[first.place] ?? []) {
      const gatherTransition = this.#transitions[consumer];
      if (gatherTransition?.approximation === 'gather') gatherTransition.approximation = null;
    }
    return true;
  }

  #dropEqualTransitions(): boolean {
    const seen = new Set<string>();
    let changed = false;
    for (const [index, each] of this.#transitions.entries()) {
      if (each === undefined || each.join !== null) continue;
      this.#steps += each.inputs.size + each.outputs.size;
      const outputs = [...each.outputs].map(([place, arcs]) => `${place}*${arcs.length}`).sort();
      const key = `${[...each.inputs].sort(compareAscending).join()}>${outputs.join()}${each.clears ? '!' : ''}${each.approximation ?? ''}`;
      if (seen.has(key)) {
        this.#remove(index);
        changed = true;
      }
      seen.add(key);
    }
    return changed;
  }

  /** Keeps only one of several places that are always filled and emptied together. */
  #dropEqualPlaces(): boolean {
    const seen = new Set<string>();
    let changed = false;
    for (let place = 1; place < this.#places.length; place += 1) {
      const [producers, consumers] = [this.#producers[place], this.#consumers[place]];
      if (this.#places[place] === undefined || producers === undefined || consumers?.size !== 1) continue;
      const [consumer] = consumers;
      const join = consumer === undefined ? undefined : this.#transitions[consumer];
      this.#steps += producers.size;
      if (join === undefined || join.inputs.size < 2 || !this.#isFilledOnce(place, producers)) continue;
      const key = `${[...producers].sort(compareAscending).join()}>${String(consumer)}`;
      if (seen.has(key)) {
        this.#dropPlace(place, producers, join);
        changed = true;
      }
      seen.add(key);
    }
    return changed;
  }

  #isFilledOnce(place: number, producers: ReadonlySet<number>): boolean {
    return [...producers].every((index) => this.#transitions[index]?.outputs.get(place)?.length === 1);
  }

  #dropPlace(place: number, producers: ReadonlySet<number>, join: MutableTransition): void {
    join.inputs.delete(place);
    if (join.inputs.size === 1) join.join = null;
    for (const index of producers) this.#transitions[index]?.outputs.delete(place);
    this.#places[place] = undefined;
  }

  #remove(index: number): void {
    const transition = this.#transitions[index];
    for (const place of transition?.inputs ?? []) this.#consumers[place]?.delete(index);
    for (const place of transition?.outputs.keys() ?? []) this.#producers[place]?.delete(index);
    this.#transitions[index] = undefined;
  }
}

function joinPaths(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0 || first.length >= MAX_VIA_ELEMENTS) return first;
  return first.length === 0 ? second : [...first, ...second].slice(0, MAX_VIA_ELEMENTS);
}

function compareAscending(a: number, b: number): number {
  return a - b;
}
