import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seconds } from '@countersign/testing';
import { DbusConnection, type DbusCall, type DbusReply } from './dbus-connection.spec.support.js';
import type { DbusValue } from './dbus-values.spec.support.js';

const DAEMON = '/usr/bin/dbus-daemon';
const NOTIFICATIONS = { path: '/org/freedesktop/Notifications', interface: 'org.freedesktop.Notifications' };
const TRAY_ITEM = { path: '/StatusNotifierItem', interface: 'org.freedesktop.DBus.Properties' };

/** Returns whether the tests have a bus for a desktop; without one they are skipped, except in CI. */
export function hasSessionBus(): boolean {
  if (process.platform !== 'linux') return false;
  return process.env['CI'] === 'true' || existsSync(DAEMON);
}

/** A notification as the desktop displays it. */
export interface ShownNotification {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly actions: readonly string[];
}

/** An entry in the menu of a tray icon. */
export interface TrayEntry {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly children: readonly TrayEntry[];
}

/**
 * A Linux desktop without a screen: its own bus with services for notifications (Desktop Notifications Specification)
 * and tray icons (StatusNotifierItem). An application uses them in the same way as on a real desktop.
 */
export class SessionDesktop {
  /** The visible notifications. */
  readonly notifications = new Map<number, ShownNotification>();
  /** All notifications that were ever shown. */
  readonly shown: ShownNotification[] = [];
  private readonly changes = new EventEmitter();
  private changeCount = 0;
  private trayItem: string | undefined;
  private connection: DbusConnection | undefined;

  private constructor(
    readonly env: Readonly<Record<string, string>>,
    private readonly daemon: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(): Promise<SessionDesktop> {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-bus-'));
    const socket = join(directory, 'bus');
    const config = join(directory, 'bus.conf');
    writeFileSync(
      config,
      `<busconfig><type>session</type><listen>unix:path=${socket}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    );
    const daemon = spawn(DAEMON, [`--config-file=${config}`, '--nofork', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(daemon.stdout, 'data');
    const desktop = new SessionDesktop({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` }, daemon, directory);
    desktop.connection = await DbusConnection.open(
      socket,
      (call) => desktop.respond(call),
      () => desktop.notifyChange(),
    );
    await desktop.connection.addSignalMatch('org.kde.StatusNotifierItem');
    await desktop.connection.addSignalMatch('com.canonical.dbusmenu');
    await desktop.connection.ownName('org.freedesktop.Notifications');
    await desktop.connection.ownName('org.kde.StatusNotifierWatcher');
    return desktop;
  }

  async stop(): Promise<void> {
    this.connection?.close();
    const ended = once(this.daemon, 'exit');
    this.daemon.kill();
    await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Waits until `probe` returns a value. */
  async waitFor<T>(probe: () => Promise<T | undefined> | T | undefined, description: string): Promise<T> {
    const timeout = AbortSignal.timeout(seconds(15));
    for (;;) {
      const changesBefore = this.changeCount;
      const found = await probe();
      if (found !== undefined) return found;
      // A change during the check may be the awaited one.
      if (this.changeCount !== changesBefore) continue;
      await once(this.changes, 'change', { signal: timeout }).catch(() => {
        throw new Error(
          `Timed out waiting for ${description}. Shown: ${JSON.stringify([...this.notifications.values()])}`,
        );
      });
    }
  }

  async waitForNotification(title: string | RegExp): Promise<ShownNotification> {
    return this.waitFor(
      () =>
        [...this.notifications.values()].find((each) =>
          typeof title === 'string' ? each.title === title : title.test(each.title),
        ),
      `a notification ${String(title)}`,
    );
  }

  /** Clicks the notification, which closes it. */
  click({ id }: ShownNotification): void {
    this.connection?.signal({ ...NOTIFICATIONS, member: 'ActionInvoked' }, 'us', id, 'default');
    this.notifications.delete(id);
    this.connection?.signal({ ...NOTIFICATIONS, member: 'NotificationClosed' }, 'uu', id, 2);
  }

  /** Returns the tooltip of the tray icon. */
  async getTooltip(): Promise<string | undefined> {
    const [, , title, text] = ((await this.getProperty('ToolTip')) ?? []) as readonly DbusValue[];
    return [title, text].find((each) => typeof each === 'string' && each !== '') as string | undefined;
  }

  /** Returns the pixels of the icon in ARGB. */
  async getIcon(): Promise<Buffer | undefined> {
    const [first] = ((await this.getProperty('IconPixmap')) ?? []) as readonly (readonly [number, number, Buffer])[];
    return first?.[2];
  }

  /** Clicks the icon. */
  async activate(): Promise<void> {
    await this.connection?.call(
      {
        destination: this.trayItem ?? '',
        path: TRAY_ITEM.path,
        interface: 'org.kde.StatusNotifierItem',
        member: 'Activate',
      },
      'ii',
      0,
      0,
    );
  }

  async getMenu(): Promise<readonly TrayEntry[]> {
    const [, root] = (await this.callMenu('GetLayout', 'iias', 0, -1, [])) as [number, DbusValue];
    return toTrayEntry(root).children;
  }

  /** Selects a menu entry. */
  async chooseMenuItem(label: string): Promise<void> {
    const flattenEntries = (entries: readonly TrayEntry[]): TrayEntry[] =>
      entries.flatMap((entry) => [entry, ...flattenEntries(entry.children)]);
    const entries = flattenEntries(await this.getMenu());
    const entry = entries.find((each) => each.label === label);
    if (entry === undefined)
      throw new Error(`There is no menu entry "${label}" among ${entries.map((each) => each.label).join(', ')}.`);
    await this.callMenu('Event', 'isvu', entry.id, 'clicked', { type: 's', value: '' }, 0);
  }

  private async callMenu(member: string, signature: string, ...args: unknown[]): Promise<readonly DbusValue[]> {
    const path = (await this.getProperty('Menu')) as string;
    return (
      (await this.connection?.call(
        { destination: this.trayItem ?? '', path, interface: 'com.canonical.dbusmenu', member },
        signature,
        ...args,
      )) ?? []
    );
  }

  private async getProperty(name: string): Promise<DbusValue | undefined> {
    if (this.trayItem === undefined) return undefined;
    const [value] =
      (await this.connection?.call(
        { destination: this.trayItem, ...TRAY_ITEM, member: 'Get' },
        'ss',
        'org.kde.StatusNotifierItem',
        name,
      )) ?? [];
    return value;
  }

  private respond({ interface: interfaceName, member, sender, args }: DbusCall): DbusReply | undefined {
    const reply = this.reply(interfaceName, member, sender, args);
    queueMicrotask(() => this.notifyChange());
    return reply;
  }

  private notifyChange(): void {
    this.changeCount += 1;
    this.changes.emit('change');
  }

  private reply(
    interfaceName: string,
    member: string,
    sender: string,
    args: readonly DbusValue[],
  ): DbusReply | undefined {
    if (interfaceName === 'org.freedesktop.DBus.Properties' && member === 'Get')
      return args[1] === 'ProtocolVersion' ? ['v', { type: 'i', value: 0 }] : ['v', { type: 'b', value: true }];
    switch (member) {
      case 'GetCapabilities':
        return ['as', ['body', 'actions']];
      case 'GetServerInformation':
        return ['ssss', 'tests', 'Countersign', '1', '1.2'];
      case 'Notify':
        return ['u', this.addNotification(args)];
      case 'CloseNotification':
        this.notifications.delete(args[0] as number);
        queueMicrotask(() =>
          this.connection?.signal({ ...NOTIFICATIONS, member: 'NotificationClosed' }, 'uu', args[0], 3),
        );
        return [''];
      case 'RegisterStatusNotifierItem':
        this.trayItem = sender;
        return [''];
      default:
        return undefined;
    }
  }

  private addNotification([, , , title, body, actions]: readonly DbusValue[]): number {
    const id = this.shown.length + 1;
    const shownNotification = {
      id,
      title: title as string,
      body: body as string,
      actions: actions as readonly string[],
    };
    this.shown.push(shownNotification);
    this.notifications.set(id, shownNotification);
    return id;
  }
}

function toTrayEntry(value: DbusValue): TrayEntry {
  const [id, properties, children] = value as [
    number,
    { readonly label?: string; readonly enabled?: boolean },
    readonly DbusValue[],
  ];
  return {
    id,
    label: properties.label ?? '',
    enabled: properties.enabled !== false,
    children: children.map(toTrayEntry),
  };
}
