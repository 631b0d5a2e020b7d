import type { ServiceIdentifier } from 'inversify';
import type { Json } from '@countersign/model';
import type { AuditEntry } from './records.js';

/** The settings that admins have saved. Secrets come here encrypted, and the key never does. */
export interface SettingsStore {
  /** Grows with each change. To be asked often. */
  settingsRevision(): Promise<number>;
  /** All of them as of one revision. */
  loadSettings(): Promise<StoredSettings>;
  /** Makes all of a change, with its audit entries, or nothing of it. */
  changeSettings(change: SettingsChange): Promise<'changed' | 'conflict'>;
}

export interface StoredSettings {
  readonly revision: number;
  /** By key. */
  readonly settings: readonly StoredSetting[];
}

export interface StoredSetting {
  readonly key: string;
  /** The value; `null` where it is a secret. */
  readonly value: Json;
  readonly secret: StoredSecret | null;
  /** The revision that it was changed with. */
  readonly revision: number;
}

export interface StoredSecret {
  readonly current: EncryptedText;
  /** What it was before the last rotation, while that may still be accepted. */
  readonly previous: { readonly text: EncryptedText; readonly validUntil: number } | null;
  /** Milliseconds since the epoch. */
  readonly rotatedAt: number;
}

/** AES-256-GCM. What it belongs to is authenticated with it, so that it holds in no other place. */
export interface EncryptedText {
  /** Which key, not the key. */
  readonly keyId: string;
  /** Base64, 12 random bytes. */
  readonly nonce: string;
  /** Base64, with the tag at its end. */
  readonly ciphertext: string;
}

export interface SettingsChange {
  /** The revision that the change was decided on; another one is a `conflict`. */
  readonly expectedRevision: number;
  readonly put: readonly Omit<StoredSetting, 'revision'>[];
  /** Keys. */
  readonly remove: readonly string[];
  readonly audit: readonly AuditEntry[];
}

/** Reads what is saved where no server runs in this process, for commands that explain. */
export interface SettingsReaderPort {
  /** Starts and changes nothing. @throws {ApiError} where it can't be read, saying why. */
  read(): Promise<StoredSettings>;
}

export const SettingsReaderPort: ServiceIdentifier<SettingsReaderPort> = Symbol.for(
  '@countersign/core:SettingsReaderPort',
);
