import { lustreCommands } from './lustre/cli';

/** What storages add to the command line. */
export const STORAGE_COMMANDS = [lustreCommands];
