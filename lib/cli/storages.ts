import { lustreCommands } from './scale';

/** Commands that storages add to the command line. */
export const STORAGE_COMMANDS = [lustreCommands];
