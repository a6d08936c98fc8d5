;; The size of what OpenZFS's LZ4 would write for one record, without writing it.
;;
;; OpenZFS compresses with a form of LZ4 of December 2012 (OpenZFS 2.x, module/zfs/lz4_zfs.c: "based on LZ4 r85"), whose smaller hash table
;; and last steps give other sizes than today's libraries do. What decides the size, and is therefore the same here:
;;   - a table of 2^12 positions (2^13 for a record below 64 KiB + 11), at first all at the record's start, indexed by the upper bits of
;;     a 4-byte word times 2654435761; the newest position replaces the older one
;;   - a search that widens its step after every 64 positions without a match, starting at attempt 67
;;   - matches of at least 4 bytes, at most 65535 back, extended backwards up to the last sequence and forwards up to 5 bytes before the end;
;;     no match begins in the last 12 bytes
;;   - after a match the position two bytes before its end is remembered too, and the next match is tried at once
;;   - the check of the output's limit, which counts more bytes than are written and so can fail although the result would just fit. There
;;     is a second one, behind the literals: it fails only where that behind the match does, and is left out
;;
;; Two records can be compressed together, a small one inside a large one: the two parses part and meet again, and most of the way they take
;; the same steps. Where they do, `together` takes each step once, with both tables; the jumps that the processor cannot foretell, which cost
;; most of the time, then cost it once.
;;
;; The candidate at the next position is fetched before it is known to be needed, since a wrong guess about a match costs most where the
;; next comparison then has to wait for memory.
;;
;; Memory: the tables at 0 and 32768; at 49152 and 49216 how far a record is (below); the data from 65536 on. Positions are addresses.
;;    0 ip        the position at work                        12 out    bytes written so far, if any were
;;    4 anchor    where the literals begin                    16 base   the record's start       24 limit  the most it may write
;;    8 attempts  of the search; 0 right behind a match       20 end    behind its last byte     28 done   1 when there is a size
;;                                                            32 size   the result; 0 when it does not fit
;; Built into lz4.wasm.json by scripts/wasm.mjs, which writes what stands between `;;each` and `;;end` once for each row of values.
(module
  (memory (export "memory") 1)

  ;; 1 when all `length` bytes from `at` are zero. `length` is a multiple of 8.
  (func (export "isZero") (param $at i32) (param $length i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then (return (i32.const 0))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $next)))
    (i32.const 1))

  ;; Bytes of the compressed record, or 0 when they do not fit into `limit`.
  (func (export "compressedSize") (param $base i32) (param $length i32) (param $limit i32) (result i32)
    (if (i32.lt_u (local.get $length) (i32.const 65547))
      (then
        (call $startC (local.get $base) (local.get $length) (local.get $limit))
        (call $runC (i32.const -1)))
      (else
        (call $startA (local.get $base) (local.get $length) (local.get $limit))
        (call $runA (i32.const -1))))
    (i32.load offset=32 (i32.const 49152)))

  ;; Begins a large record, of which `smallSize` measures parts and `largeSize` the whole. None of them is below 64 KiB + 11.
  (func (export "startLarge") (param $base i32) (param $length i32) (param $limit i32)
    (call $startB (local.get $base) (local.get $length) (local.get $limit)))

  ;; As compressedSize, of a record inside the large one; they are asked for in their order, some may be left out.
  (func (export "smallSize") (param $base i32) (param $length i32) (param $limit i32) (result i32)
    (local $a i32)
    (local $b i32)
    (call $startA (local.get $base) (local.get $length) (local.get $limit))
    (block $alone
      (br_if $alone (i32.load offset=28 (i32.const 49216)))
      (call $runA (local.get $base))
      (call $runB (local.get $base))
      ;; Whichever is behind goes on, until both are behind a match at the same position.
      (loop $next
        (br_if $alone (i32.or (i32.load offset=28 (i32.const 49152)) (i32.load offset=28 (i32.const 49216))))
        (local.set $a (i32.load (i32.const 49152)))
        (local.set $b (i32.load (i32.const 49216)))
        (if (i32.or (i32.lt_u (local.get $a) (local.get $b)) (i32.load offset=8 (i32.const 49152)))
          (then
            (call $runA (local.get $b))
            (br $next)))
        (if (i32.or (i32.lt_u (local.get $b) (local.get $a)) (i32.load offset=8 (i32.const 49216)))
          (then
            (call $runB (local.get $a))
            (br $next)))
        (br_if $next (i32.eqz (call $together)))))
    (if (i32.eqz (i32.load offset=28 (i32.const 49152))) (then (call $runA (i32.const -1))))
    (i32.load offset=32 (i32.const 49152)))

  ;; As compressedSize, of the large record.
  (func (export "largeSize") (result i32)
    (if (i32.eqz (i32.load offset=28 (i32.const 49216))) (then (call $runB (i32.const -1))))
    (i32.load offset=32 (i32.const 49216)))

;;each X STATE TABLE BITS SHIFT: A 49152 0 12 18, B 49216 32768 12 18, C 49152 0 13 17
  (func $start@X (param $base i32) (param $length i32) (param $limit i32)
    (local $at i32)
    (local $word i64)
    ;; Every entry of the table: the record's start.
    (local.set $word (i64.or
        (i64.extend_i32_u (local.get $base))
        (i64.shl (i64.extend_i32_u (local.get $base)) (i64.const 32))))
    (local.set $at (i32.shl (i32.const 4) (i32.const @BITS)))
    (loop $clear
      (local.set $at (i32.sub (local.get $at) (i32.const 8)))
      (i64.store offset=@TABLE (local.get $at) (local.get $word))
      (br_if $clear (local.get $at)))
    ;; The search begins at the second byte.
    (i32.store (i32.const @STATE) (i32.add (local.get $base) (i32.const 1)))
    (i32.store offset=4 (i32.const @STATE) (local.get $base))
    (i32.store offset=8 (i32.const @STATE) (i32.const 67))
    (i32.store offset=12 (i32.const @STATE) (i32.const 0))
    (i32.store offset=16 (i32.const @STATE) (local.get $base))
    (i32.store offset=20 (i32.const @STATE) (i32.add (local.get $base) (local.get $length)))
    (i32.store offset=24 (i32.const @STATE) (local.get $limit))
    (i32.store offset=28 (i32.const @STATE) (i32.const 0))
    (i32.store offset=32 (i32.const @STATE) (i32.const 0)))

  ;; Goes on with a record until it is behind a match at `until` or later, or done.
  (func $run@X (param $until i32)
    (local $base i32) (local $end i32) (local $limit i32) (local $mflimit i32) (local $matchlimit i32) (local $wide i32)
    (local $ip i32)         ;; the position at work
    (local $forward i32)    ;; the next position of the search
    (local $word i32)       ;; the 4 bytes at $forward
    (local $slot i32)       ;; their place in the table
    (local $here i32)       ;; the 4 bytes at $ip
    (local $ref i32)        ;; the candidate
    (local $from i32)       ;; where the match begins
    (local $anchor i32) (local $attempts i32) (local $out i32)
    (local $n i32) (local $room i32) (local $most i32) (local $diff i64)
    (local $next i32)       ;; the candidate at $forward
    (local $there i32)      ;; the 4 bytes there
    (local $same i32)
    (local.set $ip (i32.load (i32.const @STATE)))
    (local.set $anchor (i32.load offset=4 (i32.const @STATE)))
    (local.set $attempts (i32.load offset=8 (i32.const @STATE)))
    (local.set $out (i32.load offset=12 (i32.const @STATE)))
    (local.set $base (i32.load offset=16 (i32.const @STATE)))
    (local.set $end (i32.load offset=20 (i32.const @STATE)))
    (local.set $limit (i32.load offset=24 (i32.const @STATE)))
    (local.set $mflimit (i32.sub (local.get $end) (i32.const 12)))
    (local.set $matchlimit (i32.sub (local.get $end) (i32.const 5)))
    (local.set $wide (i32.sub (local.get $matchlimit) (i32.const 7)))
    (i32.store offset=28 (i32.const @STATE) (i32.const 1))

    (block $last
      (br_if $last (i32.lt_u (i32.sub (local.get $end) (local.get $base)) (i32.const 13)))
      (loop $sequence
        (block $matched
          (if (i32.eqz (local.get $attempts))
            (then
              (br_if $last (i32.gt_u (local.get $ip) (local.get $mflimit)))
              (if (i32.ge_u (local.get $ip) (local.get $until))
                (then
                  (i32.store offset=28 (i32.const @STATE) (i32.const 0))
                  (i32.store (i32.const @STATE) (local.get $ip))
                  (i32.store offset=4 (i32.const @STATE) (local.get $ip))
                  (i32.store offset=8 (i32.const @STATE) (i32.const 0))
                  (i32.store offset=12 (i32.const @STATE) (local.get $out))
                  (return)))
              (i32.store offset=@TABLE
                (i32.and
                  (i32.shr_u
                    (i32.mul (i32.load (i32.sub (local.get $ip) (i32.const 2))) (i32.const 2654435761))
                    (i32.const @SHIFT)) (i32.const 0x7ffc))
                (i32.sub (local.get $ip) (i32.const 2)))
              (local.set $here (i32.load (local.get $ip)))
              (local.set $slot (i32.and
                  (i32.shr_u (i32.mul (local.get $here) (i32.const 2654435761)) (i32.const @SHIFT)) (i32.const 0x7ffc)))
              (local.set $ref (i32.load offset=@TABLE (local.get $slot)))
              (i32.store offset=@TABLE (local.get $slot) (local.get $ip))
              (local.set $forward (i32.add (local.get $ip) (i32.const 1)))
              (local.set $word (i32.load (local.get $forward)))
              (local.set $slot (i32.and
                  (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (i32.const @SHIFT)) (i32.const 0x7ffc)))
              (local.set $next (i32.load offset=@TABLE (local.get $slot)))
              (local.set $there (i32.load (local.get $next)))
              (if (i32.eq (i32.load (local.get $ref)) (local.get $here))
                (then
                  (if (i32.le_u (i32.sub (local.get $ip) (local.get $ref)) (i32.const 65535))
                    (then
                      (local.set $from (local.get $ip))
                      (br $matched)))))
              (local.set $attempts (i32.const 67)))
            (else
              (local.set $forward (local.get $ip))
              (local.set $word (i32.load (local.get $ip)))
              (local.set $slot (i32.and
                  (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (i32.const @SHIFT)) (i32.const 0x7ffc)))
              (local.set $next (i32.load offset=@TABLE (local.get $slot)))
              (local.set $there (i32.load (local.get $next)))))

          (loop $search
            (local.set $ip (local.get $forward))
            (local.set $here (local.get $word))
            (local.set $ref (local.get $next))
            (local.set $forward (i32.add (local.get $ip) (i32.shr_u (local.get $attempts) (i32.const 6))))
            (local.set $attempts (i32.add (local.get $attempts) (i32.const 1)))
            (br_if $last (i32.gt_u (local.get $forward) (local.get $mflimit)))
            (i32.store offset=@TABLE (local.get $slot) (local.get $ip))
            (local.set $word (i32.load (local.get $forward)))
            (local.set $slot (i32.and
                (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (i32.const @SHIFT)) (i32.const 0x7ffc)))
            (local.set $next (i32.load offset=@TABLE (local.get $slot)))
            (local.set $same (i32.eq (local.get $there) (local.get $here)))
            (local.set $there (i32.load (local.get $next)))
            (br_if $search (i32.eqz (local.get $same)))
            (br_if $search (i32.gt_u (i32.sub (local.get $ip) (local.get $ref)) (i32.const 65535))))

          ;; Backwards, over equal bytes before both: no further than the anchor and the record's start. Eight at a time; what lies before
          ;; the record is memory, too, and only looked at.
          (local.set $most (i32.sub (local.get $ip) (local.get $anchor)))
          (local.set $n (i32.sub (local.get $ref) (local.get $base)))
          (local.set $most (select (local.get $most) (local.get $n) (i32.lt_u (local.get $most) (local.get $n))))
          (local.set $room (i32.const 0))
          (loop $back
            (local.set $n (i32.shr_u (i32.wrap_i64 (i64.clz (i64.xor
                      (i64.load (i32.sub (i32.sub (local.get $ip) (local.get $room)) (i32.const 8)))
                      (i64.load (i32.sub (i32.sub (local.get $ref) (local.get $room)) (i32.const 8)))))) (i32.const 3)))
            (local.set $room (i32.add (local.get $room) (local.get $n)))
            (br_if $back (i32.and
                (i32.eq (local.get $n) (i32.const 8))
                (i32.lt_u (local.get $room) (local.get $most)))))
          (local.set $room (select (local.get $room) (local.get $most) (i32.lt_u (local.get $room) (local.get $most))))
          (local.set $from (i32.sub (local.get $ip) (local.get $room)))
          ;; The literals, and their number beyond 14 in steps of 255.
          (local.set $n (i32.sub (local.get $from) (local.get $anchor)))
          (local.set $out (i32.add (i32.add (local.get $out) (local.get $n))
              (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255)))))

        (local.set $attempts (i32.const 0))
        (local.set $ip (i32.add (local.get $ip) (i32.const 4)))
        (local.set $ref (i32.add (local.get $ref) (i32.const 4)))
        (block $counted
          (loop $count
            (if (i32.lt_u (local.get $ip) (local.get $wide))
              (then
                (local.set $diff (i64.xor (i64.load (local.get $ref)) (i64.load (local.get $ip))))
                (if (i64.eqz (local.get $diff))
                  (then
                    (local.set $ip (i32.add (local.get $ip) (i32.const 8)))
                    (local.set $ref (i32.add (local.get $ref) (i32.const 8)))
                    (br $count)))
                (local.set $ip (i32.add (local.get $ip)
                    (i32.shr_u (i32.wrap_i64 (i64.ctz (local.get $diff))) (i32.const 3))))
                (br $counted))))
          (loop $tail
            (br_if $counted (i32.ge_u (local.get $ip) (local.get $matchlimit)))
            (br_if $counted (i32.ne (i32.load8_u (local.get $ref)) (i32.load8_u (local.get $ip))))
            (local.set $ip (i32.add (local.get $ip) (i32.const 1)))
            (local.set $ref (i32.add (local.get $ref) (i32.const 1)))
            (br $tail)))
        ;; A token and an offset of two bytes; the number of bytes beyond 4, from 15 on in steps of 255.
        (local.set $n (i32.sub (i32.sub (local.get $ip) (local.get $from)) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 3)))
        (if (i32.gt_u
            (i32.add (local.get $out) (i32.add (i32.const 6) (i32.shr_u (local.get $n) (i32.const 8))))
            (local.get $limit))
          (then (return)))
        (local.set $out (i32.add (local.get $out) (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
        (local.set $anchor (local.get $ip))
        (br $sequence)))

    ;; What is left are literals.
    (local.set $n (i32.sub (local.get $end) (local.get $anchor)))
    (local.set $out (i32.add (i32.add (local.get $out) (i32.add (local.get $n) (i32.const 1)))
        (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
    (if (i32.le_u (local.get $out) (local.get $limit))
      (then (i32.store offset=32 (i32.const @STATE) (local.get $out)))))
;;end

  (func $leave (param $state i32) (param $ip i32) (param $anchor i32) (param $attempts i32) (param $out i32)
    (i32.store (local.get $state) (local.get $ip))
    (i32.store offset=4 (local.get $state) (local.get $anchor))
    (i32.store offset=8 (local.get $state) (local.get $attempts))
    (i32.store offset=12 (local.get $state) (local.get $out)))

  ;; Goes on with both records, which are behind a match at the same position, as long as they take the same steps. 1 when the end of the
  ;; small one or a limit is near, where each has to look for itself.
  (func $together (result i32)
    (local $ip i32) (local $forward i32) (local $word i32) (local $slot i32) (local $here i32)
    (local $anchor i32) (local $attempts i32) (local $from i32) (local $n i32) (local $room i32) (local $most i32)
    (local $at i32) (local $ref i32) (local $diff i64)
    (local $mflimit i32)    ;; of the small record, which ends first
    (local $more i32)       ;; by how much the large one's output is larger
    (local $grown i32)
    (local $enough i32)     ;; the small one's output that neither limit refuses
;;each X: A, B
    (local $ref@X i32) (local $hit@X i32) (local $base@X i32) (local $out@X i32) (local $next@X i32)
    (local $limit@X i32) (local $matchlimit@X i32)
;;end
    (local.set $ip (i32.load (i32.const 49152)))
;;each X STATE: A 49152, B 49216
    (local.set $out@X (i32.load offset=12 (i32.const @STATE)))
    (local.set $base@X (i32.load offset=16 (i32.const @STATE)))
    (local.set $limit@X (i32.load offset=24 (i32.const @STATE)))
    (local.set $matchlimit@X (i32.sub (i32.load offset=20 (i32.const @STATE)) (i32.const 5)))
;;end
    (local.set $mflimit (i32.sub (local.get $matchlimitA) (i32.const 7)))

    (loop $anew
      (local.set $more (i32.sub (local.get $outB) (local.get $outA)))
      (local.set $enough (i32.sub (local.get $limitB) (local.get $more)))
      (local.set $enough (select (local.get $enough) (local.get $limitA)
          (i32.lt_s (local.get $enough) (local.get $limitA))))
      (loop $sequence
        (local.set $anchor (local.get $ip))
        (if (i32.gt_u (local.get $ip) (local.get $mflimit))
          (then
            (call $leave (i32.const 49152) (local.get $ip) (local.get $ip) (i32.const 0) (local.get $outA))
            (call $leave (i32.const 49216) (local.get $ip) (local.get $ip) (i32.const 0)
              (i32.add (local.get $outA) (local.get $more)))
            (return (i32.const 1))))
        (local.set $slot (i32.and
            (i32.shr_u
              (i32.mul (i32.load (i32.sub (local.get $ip) (i32.const 2))) (i32.const 2654435761))
              (i32.const 18)) (i32.const 0x7ffc)))
        (i32.store (local.get $slot) (i32.sub (local.get $ip) (i32.const 2)))
        (i32.store offset=32768 (local.get $slot) (i32.sub (local.get $ip) (i32.const 2)))
        (local.set $here (i32.load (local.get $ip)))
        (local.set $slot (i32.and
            (i32.shr_u (i32.mul (local.get $here) (i32.const 2654435761)) (i32.const 18)) (i32.const 0x7ffc)))
        (local.set $forward (i32.add (local.get $ip) (i32.const 1)))
        (local.set $attempts (i32.const 67))
;;each X TABLE: A 0, B 32768
        (local.set $ref@X (i32.load offset=@TABLE (local.get $slot)))
;;end
;;each X TABLE: A 0, B 32768
        (i32.store offset=@TABLE (local.get $slot) (local.get $ip))
;;end
;;each X TABLE: A 0, B 32768
        (local.set $hit@X (i32.and
            (i32.eq (i32.load (local.get $ref@X)) (local.get $here))
            (i32.le_u (i32.sub (local.get $ip) (local.get $ref@X)) (i32.const 65535))))
;;end
        (if (i32.eqz (i32.or (local.get $hitA) (local.get $hitB)))
          (then
            (local.set $word (i32.load (local.get $forward)))
            (local.set $slot (i32.and
                (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (i32.const 18)) (i32.const 0x7ffc)))
            (loop $search
              (local.set $ip (local.get $forward))
              (local.set $here (local.get $word))
              (local.set $forward (i32.add (local.get $ip) (i32.shr_u (local.get $attempts) (i32.const 6))))
              (if (i32.gt_u (local.get $forward) (local.get $mflimit))
                (then
                  (call $leave (i32.const 49152)
                    (local.get $ip) (local.get $anchor) (local.get $attempts) (local.get $outA))
                  (call $leave (i32.const 49216)
                    (local.get $ip) (local.get $anchor) (local.get $attempts)
                    (i32.add (local.get $outA) (local.get $more)))
                  (return (i32.const 1))))
              (local.set $attempts (i32.add (local.get $attempts) (i32.const 1)))
;;each X TABLE: A 0, B 32768
              (local.set $ref@X (i32.load offset=@TABLE (local.get $slot)))
;;end
;;each X TABLE: A 0, B 32768
              (i32.store offset=@TABLE (local.get $slot) (local.get $ip))
;;end
              (local.set $word (i32.load (local.get $forward)))
              (local.set $slot (i32.and
                  (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (i32.const 18)) (i32.const 0x7ffc)))
;;each X TABLE: A 0, B 32768
              (local.set $hit@X (i32.and
                  (i32.eq (i32.load (local.get $ref@X)) (local.get $here))
                  (i32.le_u (i32.sub (local.get $ip) (local.get $ref@X)) (i32.const 65535))))
;;end
              (br_if $search (i32.eqz (i32.or (local.get $hitA) (local.get $hitB)))))))

        (block $apart
          (br_if $apart (i32.eqz (i32.and (local.get $hitA) (local.get $hitB))))
          (br_if $apart (i32.ne (local.get $refA) (local.get $refB)))
          (local.set $most (i32.sub (local.get $ip) (local.get $anchor)))
          (local.set $n (i32.sub (local.get $refA) (local.get $baseA)))
          (local.set $most (select (local.get $most) (local.get $n) (i32.lt_u (local.get $most) (local.get $n))))
          (local.set $room (i32.const 0))
          (loop $back
            (local.set $n (i32.shr_u (i32.wrap_i64 (i64.clz (i64.xor
                      (i64.load (i32.sub (i32.sub (local.get $ip) (local.get $room)) (i32.const 8)))
                      (i64.load (i32.sub (i32.sub (local.get $refA) (local.get $room)) (i32.const 8)))))) (i32.const 3)))
            (local.set $room (i32.add (local.get $room) (local.get $n)))
            (br_if $back (i32.and
                (i32.eq (local.get $n) (i32.const 8))
                (i32.lt_u (local.get $room) (local.get $most)))))
          (local.set $room (select (local.get $room) (local.get $most) (i32.lt_u (local.get $room) (local.get $most))))
          (local.set $from (i32.sub (local.get $ip) (local.get $room)))
          ;; In the large record the match might begin earlier.
          (br_if $apart (i32.eq (i32.sub (local.get $refA) (local.get $room)) (local.get $baseA)))
          (local.set $n (i32.sub (local.get $from) (local.get $anchor)))
          (local.set $grown (i32.add (i32.add (local.get $outA) (local.get $n))
              (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
          (local.set $at (i32.add (local.get $ip) (i32.const 4)))
          (local.set $ref (i32.add (local.get $refA) (i32.const 4)))
          (loop $count
            (br_if $apart (i32.ge_u (local.get $at) (local.get $mflimit)))
            (local.set $diff (i64.xor (i64.load (local.get $ref)) (i64.load (local.get $at))))
            (if (i64.eqz (local.get $diff))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 8)))
                (local.set $ref (i32.add (local.get $ref) (i32.const 8)))
                (br $count))))
          (local.set $at (i32.add (local.get $at) (i32.shr_u (i32.wrap_i64 (i64.ctz (local.get $diff))) (i32.const 3))))
          (local.set $n (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 4)))
          (br_if $apart (i32.gt_s
              (i32.add (local.get $grown) (i32.add (i32.const 9) (i32.shr_u (local.get $n) (i32.const 8))))
              (local.get $enough)))
          (local.set $outA (i32.add (i32.add (local.get $grown) (i32.const 3))
              (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
          (local.set $ip (local.get $at))
          (br $sequence)))

      ;; Each for itself: to the end of its match, or on in its search.
      (local.set $outB (i32.add (local.get $outA) (local.get $more)))
;;each X STATE: A 49152, B 49216
      (if (local.get $hit@X)
        (then
          (local.set $most (i32.sub (local.get $ip) (local.get $anchor)))
          (local.set $n (i32.sub (local.get $ref@X) (local.get $base@X)))
          (local.set $most (select (local.get $most) (local.get $n) (i32.lt_u (local.get $most) (local.get $n))))
          (local.set $room (i32.const 0))
          (loop $back
            (local.set $n (i32.shr_u (i32.wrap_i64 (i64.clz (i64.xor
                      (i64.load (i32.sub (i32.sub (local.get $ip) (local.get $room)) (i32.const 8)))
                      (i64.load (i32.sub (i32.sub (local.get $ref@X) (local.get $room)) (i32.const 8)))))) (i32.const 3)))
            (local.set $room (i32.add (local.get $room) (local.get $n)))
            (br_if $back (i32.and
                (i32.eq (local.get $n) (i32.const 8))
                (i32.lt_u (local.get $room) (local.get $most)))))
          (local.set $room (select (local.get $room) (local.get $most) (i32.lt_u (local.get $room) (local.get $most))))
          (local.set $from (i32.sub (local.get $ip) (local.get $room)))
          (local.set $n (i32.sub (local.get $from) (local.get $anchor)))
          (local.set $out@X (i32.add (i32.add (i32.add (local.get $out@X) (local.get $n))
                (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))) (i32.const 3)))
          (local.set $at (i32.add (local.get $ip) (i32.const 4)))
          (local.set $ref (i32.add (local.get $ref@X) (i32.const 4)))
          (block $counted
            (loop $count
              (if (i32.lt_u (local.get $at) (i32.sub (local.get $matchlimit@X) (i32.const 7)))
                (then
                  (local.set $diff (i64.xor (i64.load (local.get $ref)) (i64.load (local.get $at))))
                  (if (i64.eqz (local.get $diff))
                    (then
                      (local.set $at (i32.add (local.get $at) (i32.const 8)))
                      (local.set $ref (i32.add (local.get $ref) (i32.const 8)))
                      (br $count)))
                  (local.set $at (i32.add (local.get $at)
                      (i32.shr_u (i32.wrap_i64 (i64.ctz (local.get $diff))) (i32.const 3))))
                  (br $counted))))
            (loop $tail
              (br_if $counted (i32.ge_u (local.get $at) (local.get $matchlimit@X)))
              (br_if $counted (i32.ne (i32.load8_u (local.get $ref)) (i32.load8_u (local.get $at))))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (local.set $ref (i32.add (local.get $ref) (i32.const 1)))
              (br $tail)))
          (local.set $n (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 4)))
          (if (i32.gt_s
              (i32.add (local.get $out@X) (i32.add (i32.const 6) (i32.shr_u (local.get $n) (i32.const 8))))
              (local.get $limit@X))
            (then (i32.store offset=28 (i32.const @STATE) (i32.const 1))))
          (local.set $out@X (i32.add (local.get $out@X)
              (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
          (local.set $next@X (local.get $at))
          (call $leave (i32.const @STATE) (local.get $at) (local.get $at) (i32.const 0) (local.get $out@X)))
        (else
          (call $leave (i32.const @STATE)
            (local.get $forward) (local.get $anchor) (local.get $attempts) (local.get $out@X))))
;;end
      ;; Two matches may well end at the same position.
      (if (i32.and
          (i32.and (local.get $hitA) (local.get $hitB))
          (i32.and
            (i32.eq (local.get $nextA) (local.get $nextB))
            (i32.eqz (i32.or (i32.load offset=28 (i32.const 49152)) (i32.load offset=28 (i32.const 49216))))))
        (then
          (local.set $ip (local.get $nextA))
          (br $anew))))
    (i32.const 0))
  )
