/** Somebody is away for a time: from `from` on, and at `until` no more (both in ms since the epoch). */
export interface Absence {
  /** Another one each time that it is set, so that it always means the same. */
  readonly absenceId: string;
  /** Id of the person who is away. */
  readonly subject: string;
  /** Who decides in their place meanwhile; `null`: nobody, it is only known that they are away. */
  readonly substitute: string | null;
  readonly from: number;
  readonly until: number;
}
