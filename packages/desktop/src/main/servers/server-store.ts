import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ServerProfile } from '../../common/state.js';
import { JsonFile } from '../app/json-file.js';
import { serverUrl } from './server-url.js';

const fileSchema = z.object({
  servers: z.array(z.object({ serverId: z.uuid(), url: z.string(), name: z.string() })).max(50),
  activeServerId: z.uuid().nullable(),
});

/** The servers that the user has added, and the active one. */
export class ServerStore {
  private readonly file: JsonFile<typeof fileSchema>;
  private all: readonly ServerProfile[];
  private activeId: string | null;

  constructor(path: string) {
    this.file = new JsonFile(path, fileSchema);
    const kept = this.file.read();
    // Addresses edited in the file must meet the same rule as typed ones.
    this.all = (kept?.servers ?? []).filter(({ url }) => 'url' in serverUrl(url));
    this.activeId = this.all.some(({ serverId }) => serverId === kept?.activeServerId)
      ? (kept?.activeServerId ?? null)
      : (this.all[0]?.serverId ?? null);
  }

  get servers(): readonly ServerProfile[] {
    return this.all;
  }

  get active(): ServerProfile | undefined {
    return this.all.find(({ serverId }) => serverId === this.activeId);
  }

  /** Adds a server and activates it; a known server is only activated. */
  add(url: string, name: string): ServerProfile {
    const known = this.all.find((each) => each.url === url);
    const profile = known ?? { serverId: randomUUID(), url, name: name === '' ? new URL(url).host : name };
    if (known === undefined) this.all = [...this.all, profile];
    this.activeId = profile.serverId;
    this.save();
    return profile;
  }

  remove(serverId: string): void {
    this.all = this.all.filter((each) => each.serverId !== serverId);
    if (this.activeId === serverId) this.activeId = this.all[0]?.serverId ?? null;
    this.save();
  }

  /** @returns whether the server exists */
  select(serverId: string): boolean {
    if (!this.all.some((each) => each.serverId === serverId)) return false;
    this.activeId = serverId;
    this.save();
    return true;
  }

  private save(): void {
    this.file.write({ servers: [...this.all], activeServerId: this.activeId });
  }
}
