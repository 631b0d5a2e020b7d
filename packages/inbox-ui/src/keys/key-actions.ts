/** An action that a key may trigger, whether or not it is available now. */
export interface KeyAction {
  /** Stable: the user's key settings refer to it. */
  readonly id: string;
  readonly label: string;
  /** Default keys: `?`, `j`, `Mod+k`, or two in sequence: `g r`. `null`: none until the user sets some. */
  readonly keys: string | null;
  /** Set if the keys cannot be changed, because other parts of the application rely on them. */
  readonly fixed?: true;
}

/** An action that is available now. */
export interface AvailableAction extends Pick<KeyAction, 'id' | 'label'> {
  readonly group: string;
  /** The keys that work now. */
  readonly keys: string | undefined;
  run(): void;
}

/** Actions under one heading. */
export interface KeyGroup {
  readonly title: string;
  /** Where the keys work. Keys may mean different things in different places; `everywhere` applies in all of them. */
  readonly place: string;
  readonly actions: readonly KeyAction[];
}

export const EVERYWHERE = 'everywhere';
