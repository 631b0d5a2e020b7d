import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ServerProfile } from '../../common/state.js';
import { JsonFile } from '../app/json-file.js';
import { parseServerUrl } from './server-url.js';

const fileSchema = z.object({
  servers: z.array(z.object({ serverId: z.uuid(), url: z.string(), name: z.string() })).max(50),
  activeServerId: z.uuid().nullable(),
});

/** The servers that the user has added, and the active one. */
export class ServerStore {
  private readonly file: JsonFile<typeof fileSchema>;
  private profiles: readonly ServerProfile[];
  private activeId: string | null;

  constructor(path: string) {
    this.file = new JsonFile(path, fileSchema);
    const stored = this.file.read();
    // Addresses in the file may have been edited, so they are checked like addresses that the user enters.
    this.profiles = (stored?.servers ?? []).filter(({ url }) => 'url' in parseServerUrl(url));
    this.activeId = this.profiles.some(({ serverId }) => serverId === stored?.activeServerId)
      ? (stored?.activeServerId ?? null)
      : (this.profiles[0]?.serverId ?? null);
  }

  get servers(): readonly ServerProfile[] {
    return this.profiles;
  }

  get active(): ServerProfile | undefined {
    return this.profiles.find(({ serverId }) => serverId === this.activeId);
  }

  /** Adds a server and activates it. A server that already exists is only activated. */
  add(url: string, name: string): ServerProfile {
    const existing = this.profiles.find((each) => each.url === url);
    const profile = existing ?? { serverId: randomUUID(), url, name: name === '' ? new URL(url).host : name };
    if (existing === undefined) this.profiles = [...this.profiles, profile];
    this.activeId = profile.serverId;
    this.save();
    return profile;
  }

  remove(serverId: string): void {
    this.profiles = this.profiles.filter((each) => each.serverId !== serverId);
    if (this.activeId === serverId) this.activeId = this.profiles[0]?.serverId ?? null;
    this.save();
  }

  /** @returns whether the server exists */
  select(serverId: string): boolean {
    if (!this.profiles.some((each) => each.serverId === serverId)) return false;
    this.activeId = serverId;
    this.save();
    return true;
  }

  private save(): void {
    this.file.write({ servers: [...this.profiles], activeServerId: this.activeId });
  }
}
