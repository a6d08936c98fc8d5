import type { Fault } from './fault';
import type { Mood } from './s3';

/** Only after a lost answer does the store get an object twice, so only that is tried with the emulator's S3. */
export const moods = (
  [
    ['slow', 'S3 answers after 1.5 s', null],
    ['silent', 'S3 accepts requests and never answers', /results are kept in/],
    ['refusing', 'S3 refuses every request', /results are kept in.*Access Denied/],
    ['losing-answers', "the lab's S3 stores, and loses its first answer about each file", null],
  ] as const
).map(
  ([mood, what, says]): Fault => ({
    id: `s3-${mood}`,
    what: `${what}, from the first write to the end of the session`,
    quick: mood === 'refusing',
    emulated: mood === 'losing-answers',
    inject: async (world, note) => {
      await world.inPhase('measure', 'write');
      world.store.mood = mood satisfies Mood;
      note();
      await world.ended();
      world.store.mood = 'well';
    },
    says,
  }),
);

export const killedStore: Fault = {
  id: 's3-killed',
  what: 'S3 is gone in write, and comes back in read',
  inject: async (world, note) => {
    await world.running('fio', 'write');
    await world.store.stop();
    note();
    await world.running('fio', 'read');
    await world.store.start();
  },
  says: null,
};
