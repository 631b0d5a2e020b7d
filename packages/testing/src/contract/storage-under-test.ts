import type { StoragePort } from '@countersign/core/ports';

export interface StorageUnderTest {
  /** The storages of two servers that share the same data, initially empty. */
  readonly storage: StoragePort;
  readonly other: StoragePort;
  dispose(): Promise<void>;
}

/** Returns the storage of the current test. */
export type StorageGetter = () => StorageUnderTest;
