/** A reason why a run cannot be migrated. */
export interface MigrationRefusal {
  /** Stable code. */
  readonly code: string;
  readonly elementId: string | null;
  readonly message: string;
}
