import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { EVENTS, eventChannel, METHODS, methodChannel, type EventName } from '../common/channels.js';

/*
 * Named methods, never `ipcRenderer` itself: whatever runs in the window can ask for these and for nothing else. What it
 * asks with is checked by the main process, which believes nothing that comes from here.
 */
const methods = Object.fromEntries(
  METHODS.map((name) => [name, (input: unknown): Promise<unknown> => ipcRenderer.invoke(methodChannel(name), input)]),
);

function on(event: unknown, listener: (payload: unknown) => void): () => void {
  const name = EVENTS.find((each) => each === event) as EventName | undefined;
  if (name === undefined || typeof listener !== 'function') throw new TypeError('There is no such event.');
  // Without the event of Electron, whose sender would give all of `ipcRenderer`.
  const pass = (_event: IpcRendererEvent, payload: unknown): void => listener(payload);
  ipcRenderer.on(eventChannel(name), pass);
  return () => void ipcRenderer.removeListener(eventChannel(name), pass);
}

contextBridge.exposeInMainWorld('countersign', Object.freeze({ ...methods, on }));
