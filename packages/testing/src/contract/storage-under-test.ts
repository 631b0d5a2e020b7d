import type { StoragePort } from '@countersign/core/ports';

export interface StorageUnderTest {
  /** Two servers on the same, empty data. */
  readonly storage: StoragePort;
  readonly other: StoragePort;
  dispose(): Promise<void>;
}

/** Returns the storage of the current test. */
export type StorageGetter = () => StorageUnderTest;
