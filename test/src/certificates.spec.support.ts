import {
  BasicConstraintsExtension,
  type Extension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { currentTime } from '@countersign/testing';
import { webcrypto } from 'node:crypto';

const ALGORITHM = Object.freeze({ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' });
const YEAR_MS = 365 * 24 * 3_600_000;

/** A certificate and its private key, PEM. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority for tests. */
export class CertificateAuthority {
  private serialNumber = 1;

  private constructor(
    private readonly root: X509Certificate,
    private readonly signingKey: webcrypto.CryptoKey,
  ) {}

  static async create(): Promise<CertificateAuthority> {
    const keys = await generateKeys();
    const root = await X509CertificateGenerator.createSelfSigned({
      ...createValidity(),
      serialNumber: '01',
      name: 'CN=Authority of the tests',
      keys,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    });
    return new CertificateAuthority(root, keys.privateKey);
  }

  /** Certificate of the authority, PEM. */
  get certificate(): string {
    return this.root.toString('pem');
  }

  /** Issues the certificate of a server, by default at 127.0.0.1, or of a client. */
  async issue(name: string, ip = '127.0.0.1'): Promise<CertificateFiles> {
    this.serialNumber += 1;
    const keys = await generateKeys();
    const extensions: Extension[] = [new SubjectAlternativeNameExtension([{ type: 'ip', value: ip }])];
    const certificate = await X509CertificateGenerator.create({
      ...createValidity(),
      serialNumber: this.serialNumber.toString(16).padStart(2, '0'),
      subject: `CN=${name}`,
      issuer: this.root.subject,
      publicKey: keys.publicKey,
      signingKey: this.signingKey,
      extensions,
    });
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { certificate: certificate.toString('pem'), key: PemConverter.encode(pkcs8, 'PRIVATE KEY') };
  }
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function createValidity() {
  const now = currentTime();
  return { notBefore: new Date(now - YEAR_MS), notAfter: new Date(now + YEAR_MS), signingAlgorithm: ALGORITHM };
}
