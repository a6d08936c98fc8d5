import { lustreCommands } from './scale';

export const STORAGE_COMMANDS = [lustreCommands];
