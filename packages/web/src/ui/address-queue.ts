/** A page and its query, without the `?`. */
export interface Place {
  readonly pathname: string;
  readonly query: string;
}

/**
 * The places that the router was asked for and has not shown yet. It shows a place a moment after it was asked for; what is
 * changed meanwhile adds to what was asked for last, and does not take it back.
 */
export class AddressQueue {
  /** The place that is shown, then those that were asked for since, in order. */
  #places: readonly [Place, ...Place[]] = [{ pathname: '/', query: '' }];
  #key: string | undefined;

  get shown(): Place {
    return this.#places[0];
  }

  /** What the next change starts from. */
  get latest(): Place {
    return this.#places.at(-1) ?? this.#places[0];
  }

  ask(place: Place): void {
    this.#places = [...this.#places, place];
  }

  /**
   * The router shows a place: one that was asked for here, or, by a link or the way back, one that makes all those obsolete.
   *
   * @param key of the entry in the history: several parts of the page tell of the same one.
   */
  show(place: Place, key: string): void {
    if (key === this.#key) return;
    this.#key = key;
    const at = this.#places.findIndex(
      (each, index) => index > 0 && each.pathname === place.pathname && each.query === place.query,
    );
    this.#places = [place, ...(at === -1 ? [] : this.#places.slice(at + 1))];
  }
}
