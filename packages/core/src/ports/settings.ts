import type { ServiceIdentifier } from 'inversify';
import type { Json } from '@countersign/model';
import type { AuditEntry } from './records.js';

/**
 * Stores the settings that admins have saved. Secrets are encrypted before they are passed to the store; the key is
 * never passed.
 */
export interface SettingsStore {
  /** Returns the revision, which increases with each change. Cheap enough for frequent polling. */
  settingsRevision(): Promise<number>;
  /** Returns all settings as of one revision. */
  loadSettings(): Promise<StoredSettings>;
  /** Applies a whole change with its audit entries, or nothing. */
  changeSettings(change: SettingsChange): Promise<'changed' | 'conflict'>;
}

export interface StoredSettings {
  readonly revision: number;
  /** Settings by key. */
  readonly settings: readonly StoredSetting[];
}

export interface StoredSetting {
  readonly key: string;
  /** The value; `null` for a secret. */
  readonly value: Json;
  readonly secret: StoredSecret | null;
  /** The revision of its last change. */
  readonly revision: number;
}

export interface StoredSecret {
  readonly current: EncryptedText;
  /** The value before the last rotation, while it may still be accepted. */
  readonly previous: { readonly text: EncryptedText; readonly validUntil: number } | null;
  /** Milliseconds since the epoch. */
  readonly rotatedAt: number;
}

/**
 * An AES-256-GCM ciphertext. The name of its setting is authenticated data, so it cannot be moved to another setting.
 */
export interface EncryptedText {
  /** Identifies the key. */
  readonly keyId: string;
  /** 12 random bytes, base64. */
  readonly nonce: string;
  /** Ciphertext with the tag at its end, base64. */
  readonly ciphertext: string;
}

export interface SettingsChange {
  /** The revision that the change is based on; if it is not the current one, the result is `conflict`. */
  readonly expectedRevision: number;
  readonly put: readonly Omit<StoredSetting, 'revision'>[];
  /** Keys of the settings to remove. */
  readonly remove: readonly string[];
  readonly audit: readonly AuditEntry[];
}

/** Reads saved settings in a process without a server, for commands that explain the configuration. */
export interface SettingsReaderPort {
  /**
   * Reads the saved settings without starting or changing anything.
   *
   * @throws {ApiError} with the reason, if the settings cannot be read
   */
  read(): Promise<StoredSettings>;
}

export const SettingsReaderPort: ServiceIdentifier<SettingsReaderPort> = Symbol.for(
  '@countersign/core:SettingsReaderPort',
);
