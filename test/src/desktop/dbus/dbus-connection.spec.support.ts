import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DbusReader, DbusWriter, splitTypes, type DbusValue } from './dbus-values.spec.support.js';

export interface DbusCall {
  readonly path: string;
  readonly member: string;
  readonly interface: string;
  readonly sender: string;
  readonly args: readonly DbusValue[];
}

/** The response to a call: a signature and its values. */
export type DbusReply = readonly [signature: string, ...values: unknown[]];

interface Target {
  readonly destination?: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

const CALL = 1;
const RETURN = 2;
const ERROR = 3;
const SIGNAL = 4;
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** A connection to a bus with the features that a simulated desktop needs: calls, their responses, and signals. */
export class DbusConnection {
  private serial = 0;
  private readonly pendingCalls = new Map<
    number,
    { resolve(values: readonly DbusValue[]): void; reject(error: Error): void }
  >();
  private buffer: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly socket: Socket,
    private readonly handleCall: (call: DbusCall) => DbusReply | undefined,
    private readonly onSignal: () => void,
  ) {}

  /**
   * @param handleCall handles calls; returns `undefined` if the method is unknown. @param onSignal is called for each
   * signal that matches a subscription
   */
  static async open(
    socketPath: string,
    handleCall: (call: DbusCall) => DbusReply | undefined,
    onSignal: () => void,
  ): Promise<DbusConnection> {
    const socket = connect(socketPath);
    await once(socket, 'connect');
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`);
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    if (!greeting.toString().startsWith('OK'))
      throw new Error(`The bus refused the authentication: ${greeting.toString()}`);
    socket.write('BEGIN\r\n');
    const connection = new DbusConnection(socket, handleCall, onSignal);
    socket.on('data', (chunk: Buffer) => connection.handleData(chunk));
    await connection.call({ ...BUS, member: 'Hello' });
    return connection;
  }

  async ownName(name: string): Promise<void> {
    await this.call({ ...BUS, member: 'RequestName' }, 'su', name, 4);
  }

  /** Subscribes to all signals of an interface. */
  async addSignalMatch(interfaceName: string): Promise<void> {
    await this.call({ ...BUS, member: 'AddMatch' }, 's', `type='signal',interface='${interfaceName}'`);
  }

  async call(target: Target, signature = '', ...args: unknown[]): Promise<readonly DbusValue[]> {
    const serial = this.send(CALL, target, signature, args);
    return new Promise((resolve, reject) => this.pendingCalls.set(serial, { resolve, reject }));
  }

  signal(target: Target, signature: string, ...args: unknown[]): void {
    this.send(SIGNAL, target, signature, args);
  }

  close(): void {
    this.socket.destroy();
  }

  private send(
    type: number,
    target: Partial<Target>,
    signature: string,
    args: readonly unknown[],
    replyTo?: number,
  ): number {
    const serial = (this.serial += 1);
    const body = new DbusWriter().putAll(signature, args).toBuffer();
    const fields: [number, { type: string; value: unknown }][] = [
      ...headerField(1, 'o', target.path),
      ...headerField(2, 's', target.interface),
      ...headerField(3, 's', target.member),
      ...headerField(5, 'u', replyTo),
      ...headerField(6, 's', target.destination),
      ...headerField(8, 'g', signature === '' ? undefined : signature),
    ];
    const messageHeader = new DbusWriter().putAll('yyyyuua(yv)', [
      'l'.charCodeAt(0),
      type,
      0,
      1,
      body.length,
      serial,
      fields,
    ]);
    messageHeader.align(8);
    this.socket.write(Buffer.concat([messageHeader.toBuffer(), body]));
    return serial;
  }

  private handleData(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    while (this.buffer.length >= 16) {
      const fieldsLength = this.buffer.readUInt32LE(12);
      const bodyStart = Math.ceil((16 + fieldsLength) / 8) * 8;
      const end = bodyStart + this.buffer.readUInt32LE(4);
      if (this.buffer.length < end) return;
      const message = this.buffer.subarray(0, end);
      this.buffer = Buffer.from(this.buffer.subarray(end));
      this.handleMessage(message, bodyStart);
    }
  }

  private handleMessage(message: Buffer, bodyStart: number): void {
    const [, type, , , , serial, list] = new DbusReader(message).getAll('yyyyuua(yv)') as [
      number,
      number,
      number,
      number,
      number,
      number,
      [number, DbusValue][],
    ];
    const fields = new Map(list);
    const getStringField = (code: number): string => (fields.get(code) as string | undefined) ?? '';
    // Values are aligned relative to the body.
    const args = new DbusReader(Buffer.from(message.subarray(bodyStart))).getAll(getStringField(8));
    const pendingCall = this.pendingCalls.get(fields.get(5) as number);
    if (type === RETURN) pendingCall?.resolve(args);
    if (type === ERROR) pendingCall?.reject(new Error(`${getStringField(4)}: ${String(args[0])}`));
    if (type === SIGNAL) this.onSignal();
    if (type !== CALL) return;
    const reply = this.handleCall({
      path: getStringField(1),
      interface: getStringField(2),
      member: getStringField(3),
      sender: getStringField(7),
      args,
    });
    if (reply === undefined) this.send(ERROR, { destination: getStringField(7) }, '', [], serial);
    else
      this.send(
        RETURN,
        { destination: getStringField(7) },
        reply[0],
        reply.slice(1, 1 + splitTypes(reply[0]).length),
        serial,
      );
  }
}

function headerField(code: number, type: string, value: unknown): [number, { type: string; value: unknown }][] {
  return value === undefined ? [] : [[code, { type, value }]];
}
