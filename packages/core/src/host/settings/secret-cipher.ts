import { inject, injectable } from 'inversify';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { canonicalJson, StartupError } from '@countersign/model';
import { LoggerPort } from '../../ports/logger.js';
import type { EncryptedText } from '../../ports/settings.js';
import { CoreConfiguration } from '../configuration/core-configuration.js';
import { parseEncryptionKey, type EncryptionKey } from './encryption-key.js';
import { getKeyFilePath, createKeyFile, readKeyFile } from './key-file.js';

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D, 8.3: random nonces are safe for 2^32 texts per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The setting that an encrypted text belongs to. Authenticated with the text, so that the secret of one row cannot be
 * moved to another.
 */
export interface SecretSlot {
  readonly key: string;
  readonly slot: 'current' | 'previous';
}

/** Encrypts saved secrets with the current key and decrypts them with any known key. */
@injectable()
export class SecretCipher {
  readonly #file: string;
  readonly #log: Pick<LoggerPort, 'info'>;
  readonly #keysById = new Map<string, EncryptionKey>();
  #cachedCurrentKey: EncryptionKey | undefined;

  constructor(
    @inject(CoreConfiguration) { Settings, Data }: Pick<CoreConfiguration, 'Settings' | 'Data'>,
    @inject(LoggerPort) log: Pick<LoggerPort, 'info'>,
  ) {
    this.#file = getKeyFilePath(Data.Directory);
    this.#log = log;
    for (const configured of Settings.PreviousEncryptionKeys) this.#add(parseEncryptionKey(configured.reveal()));
    this.#cachedCurrentKey = this.#add(parseEncryptionKey(Settings.EncryptionKey.reveal()));
  }

  /**
   * Encrypts a secret with the current key. Generates a key file if no key exists.
   *
   * @throws {StartupError} `settings_key_unreadable`
   */
  async encrypt(text: string, secretSlot: SecretSlot): Promise<EncryptedText> {
    const key = (await this.#currentKey()) ?? (await this.#createKey());
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(toAssociatedData(key.id, secretSlot));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId: key.id, nonce: nonce.toString('base64'), ciphertext: ciphertext.toString('base64') };
  }

  /**
   * Decrypts a saved secret.
   *
   * @throws {StartupError} `settings_key_missing`, `settings_secret_damaged`, `settings_key_unreadable`
   */
  async decrypt({ keyId, nonce, ciphertext }: EncryptedText, secretSlot: SecretSlot): Promise<string> {
    const key = await this.#find(keyId);
    if (key === undefined) {
      throw new StartupError(
        'settings_key_missing',
        `The saved secret ${secretSlot.key} is encrypted with the key ${keyId}, which this server does not have. ` +
          `Set Settings:EncryptionKey or add the key to Settings:PreviousEncryptionKeys, or restore the file ${this.#file}. All servers of one database need the same key. ` +
          `If the key is lost, start with --set Settings:Ignore=${secretSlot.key}, and save the secret again.`,
      );
    }
    try {
      const bytes = Buffer.from(ciphertext, 'base64');
      const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64'), { authTagLength: TAG_BYTES });
      decipher.setAAD(toAssociatedData(key.id, secretSlot));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new StartupError(
        'settings_secret_damaged',
        `The saved secret ${secretSlot.key} was not encrypted for this setting or was changed in the database. Start with --set Settings:Ignore=${secretSlot.key}, and save the secret again.`,
        {},
        { cause },
      );
    }
  }

  /** Returns whether a text is encrypted with the current key. */
  async isCurrent({ keyId }: EncryptedText): Promise<boolean> {
    return keyId === (await this.#currentKey())?.id;
  }

  async #find(keyId: string): Promise<EncryptionKey | undefined> {
    return (
      this.#keysById.get(keyId) ??
      this.#add(await readKeyFile(this.#file).then((key) => (key?.id === keyId ? key : undefined)))
    );
  }

  async #currentKey(): Promise<EncryptionKey | undefined> {
    this.#cachedCurrentKey ??= this.#add(await readKeyFile(this.#file));
    return this.#cachedCurrentKey;
  }

  async #createKey(): Promise<EncryptionKey> {
    const key = await createKeyFile(this.#file);
    this.#cachedCurrentKey = key;
    this.#add(key);
    this.#log.info(
      { file: this.#file, keyId: key.id },
      'created a key for saved secrets: back it up separately from the database, and give it to all servers of this database',
    );
    return key;
  }

  #add(key: EncryptionKey | undefined): EncryptionKey | undefined {
    if (key !== undefined) this.#keysById.set(key.id, key);
    return key;
  }
}

function toAssociatedData(keyId: string, { key, slot }: SecretSlot): Buffer {
  return Buffer.from(canonicalJson({ purpose: 'countersign settings', keyId, key, slot }), 'utf8');
}
