/** An action that a key may trigger, whether or not it is available now. */
export interface KeyAction {
  /** Stable: the user's key settings refer to it. */
  readonly id: string;
  readonly label: string;
  /** Default keys: `?`, `j`, `Mod+k`, or two in sequence: `g r`. `null`: no keys until the user sets them. */
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
  /**
   * Scope in which the keys work. Keys may have different actions in different scopes; the scope `everywhere` includes
   * all others.
   */
  readonly scope: string;
  readonly actions: readonly KeyAction[];
}

export const EVERYWHERE = 'everywhere';
