/** Something that a key may do, whether or not it can be done now. */
export interface KeyAction {
  /** Stable: what a person has set is kept by it. */
  readonly id: string;
  readonly label: string;
  /** As it comes: `?`, `j`, `Mod+k`, or two one after the other: `g r`. `null`: none, until somebody gives it one. */
  readonly keys: string | null;
  /** Can't be set, as other parts of the application rely on it. */
  readonly fixed?: true;
}

/** An action that can be done now. */
export interface OfferedAction extends Pick<KeyAction, 'id' | 'label'> {
  readonly group: string;
  /** Those that work now. */
  readonly keys: string | undefined;
  run(): void;
}

/** Actions under one heading. */
export interface KeyGroup {
  readonly title: string;
  /** Where they are. Keys may mean different things in different places; what is `everywhere` is in all of them. */
  readonly place: string;
  readonly actions: readonly KeyAction[];
}

export const EVERYWHERE = 'everywhere';
