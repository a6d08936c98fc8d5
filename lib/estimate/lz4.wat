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
;;   - the checks of the output's limit, which count more bytes than are written and so can fail although the result would just fit
;;
;; Memory: the table in the first 32 KiB, the data above it. Positions are addresses.
;; Built into lz4Wasm.ts by scripts/wasm.mjs.
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
  ;; `bits` is the table's: 12, or 13 for a record below 64 KiB + 11.
  (func (export "compressedSize")
    (param $base i32) (param $length i32) (param $limit i32) (param $bits i32) (result i32)
    (local $end i32) (local $mflimit i32) (local $matchlimit i32) (local $wide i32)
    (local $shift i32)      ;; from a product to the table's index
    (local $ip i32)         ;; the position at work
    (local $forward i32)    ;; the next position of the search
    (local $word i32)       ;; the 4 bytes at $forward
    (local $slot i32)       ;; their place in the table
    (local $here i32)       ;; the 4 bytes at $ip
    (local $ref i32)        ;; the candidate
    (local $anchor i32)     ;; where the literals begin
    (local $attempts i32)
    (local $out i32)        ;; bytes written so far, if any were
    (local $n i32)
    (local $room i32)
    (local $diff i64)
    (local.set $shift (i32.sub (i32.const 30) (local.get $bits)))
    (local.set $end (i32.add (local.get $base) (local.get $length)))
    (local.set $mflimit (i32.sub (local.get $end) (i32.const 12)))
    (local.set $matchlimit (i32.sub (local.get $end) (i32.const 5)))
    (local.set $wide (i32.sub (local.get $matchlimit) (i32.const 7)))
    (local.set $anchor (local.get $base))

    (block $last
      (br_if $last (i32.lt_u (local.get $length) (i32.const 13)))

      ;; Every entry of the table: the record's start.
      (local.set $diff (i64.or
        (i64.extend_i32_u (local.get $base))
        (i64.shl (i64.extend_i32_u (local.get $base)) (i64.const 32))))
      (local.set $n (i32.shl (i32.const 4) (local.get $bits)))
      (loop $clear
        (local.set $n (i32.sub (local.get $n) (i32.const 32)))
        (i64.store (local.get $n) (local.get $diff))
        (i64.store offset=8 (local.get $n) (local.get $diff))
        (i64.store offset=16 (local.get $n) (local.get $diff))
        (i64.store offset=24 (local.get $n) (local.get $diff))
        (br_if $clear (local.get $n)))

      (local.set $ip (i32.add (local.get $base) (i32.const 1)))

      (loop $sequence
        (local.set $attempts (i32.const 67))
        (local.set $forward (local.get $ip))
        (local.set $word (i32.load (local.get $ip)))
        (local.set $slot (i32.and
          (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (local.get $shift)) (i32.const 0x7ffc)))

        (loop $search
          (local.set $ip (local.get $forward))
          (local.set $here (local.get $word))
          (local.set $forward (i32.add (local.get $ip) (i32.shr_u (local.get $attempts) (i32.const 6))))
          (local.set $attempts (i32.add (local.get $attempts) (i32.const 1)))
          (br_if $last (i32.gt_u (local.get $forward) (local.get $mflimit)))
          (local.set $ref (i32.load (local.get $slot)))
          (i32.store (local.get $slot) (local.get $ip))
          (local.set $word (i32.load (local.get $forward)))
          (local.set $slot (i32.and
            (i32.shr_u (i32.mul (local.get $word) (i32.const 2654435761)) (local.get $shift)) (i32.const 0x7ffc)))
          (br_if $search (i32.ne (i32.load (local.get $ref)) (local.get $here)))
          (br_if $search (i32.gt_u (i32.sub (local.get $ip) (local.get $ref)) (i32.const 65535))))

        ;; Backwards, over equal bytes before both: eight at a time, no further than the anchor and the record's start.
        ;; What lies before the record is memory, too, and only looked at.
        (loop $back
            (local.set $n (i32.sub (local.get $ip) (local.get $anchor)))
            (local.set $room (i32.sub (local.get $ref) (local.get $base)))
            (local.set $room (select (local.get $n) (local.get $room) (i32.lt_u (local.get $n) (local.get $room))))
            (local.set $n (i32.shr_u (i32.wrap_i64 (i64.clz (i64.xor
              (i64.load (i32.sub (local.get $ip) (i32.const 8)))
              (i64.load (i32.sub (local.get $ref) (i32.const 8)))))) (i32.const 3)))
            (local.set $room (select (local.get $n) (local.get $room) (i32.lt_u (local.get $n) (local.get $room))))
            (local.set $ip (i32.sub (local.get $ip) (local.get $room)))
            (local.set $ref (i32.sub (local.get $ref) (local.get $room)))
            (br_if $back (i32.eq (local.get $room) (i32.const 8))))

        ;; A token, the length of the literals beyond 14 in steps of 255, the literals.
        (local.set $n (i32.sub (local.get $ip) (local.get $anchor)))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (if (i32.gt_u
              (i32.add (i32.add (local.get $out) (i32.const 8))
                (i32.add (local.get $n) (i32.shr_u (local.get $n) (i32.const 8))))
              (local.get $limit))
          (then (return (i32.const 0))))
        (local.set $out (i32.add (local.get $out) (local.get $n)))
        (local.set $out (i32.add (local.get $out)
          (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))

        (loop $match
          ;; An offset of two bytes; the length of the match beyond 4.
          (local.set $out (i32.add (local.get $out) (i32.const 2)))
          (local.set $ip (i32.add (local.get $ip) (i32.const 4)))
          (local.set $ref (i32.add (local.get $ref) (i32.const 4)))
          (local.set $anchor (local.get $ip))
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
            (if (i32.lt_u (local.get $ip) (i32.sub (local.get $matchlimit) (i32.const 3)))
              (then
                (if (i32.eq (i32.load (local.get $ref)) (i32.load (local.get $ip)))
                  (then
                    (local.set $ip (i32.add (local.get $ip) (i32.const 4)))
                    (local.set $ref (i32.add (local.get $ref) (i32.const 4)))))))
            (if (i32.lt_u (local.get $ip) (i32.sub (local.get $matchlimit) (i32.const 1)))
              (then
                (if (i32.eq (i32.load16_u (local.get $ref)) (i32.load16_u (local.get $ip)))
                  (then
                    (local.set $ip (i32.add (local.get $ip) (i32.const 2)))
                    (local.set $ref (i32.add (local.get $ref) (i32.const 2)))))))
            (if (i32.lt_u (local.get $ip) (local.get $matchlimit))
              (then
                (if (i32.eq (i32.load8_u (local.get $ref)) (i32.load8_u (local.get $ip)))
                  (then (local.set $ip (i32.add (local.get $ip) (i32.const 1))))))))
          (local.set $n (i32.sub (local.get $ip) (local.get $anchor)))
          (if (i32.gt_u
                (i32.add (local.get $out) (i32.add (i32.const 6) (i32.shr_u (local.get $n) (i32.const 8))))
                (local.get $limit))
            (then (return (i32.const 0))))
          (local.set $out (i32.add (local.get $out)
            (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))
          (local.set $anchor (local.get $ip))
          (br_if $last (i32.gt_u (local.get $ip) (local.get $mflimit)))

          (i32.store
            (i32.and
              (i32.shr_u
                (i32.mul (i32.load (i32.sub (local.get $ip) (i32.const 2))) (i32.const 2654435761))
                (local.get $shift))
              (i32.const 0x7ffc))
            (i32.sub (local.get $ip) (i32.const 2)))
          (local.set $here (i32.load (local.get $ip)))
          (local.set $slot (i32.and
            (i32.shr_u (i32.mul (local.get $here) (i32.const 2654435761)) (local.get $shift)) (i32.const 0x7ffc)))
          (local.set $ref (i32.load (local.get $slot)))
          (i32.store (local.get $slot) (local.get $ip))
          (if (i32.eq (i32.load (local.get $ref)) (local.get $here))
            (then
              (if (i32.le_u (i32.sub (local.get $ip) (local.get $ref)) (i32.const 65535))
                (then
                  (local.set $out (i32.add (local.get $out) (i32.const 1)))
                  (br $match))))))
        (local.set $ip (i32.add (local.get $ip) (i32.const 1)))
        (br $sequence)))

    ;; What is left are literals.
    (local.set $n (i32.sub (local.get $end) (local.get $anchor)))
    (if (i32.gt_u
          (i32.add (i32.add (local.get $out) (i32.add (local.get $n) (i32.const 1)))
            (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255)))
          (local.get $limit))
      (then (return (i32.const 0))))
    (local.set $out (i32.add (local.get $out) (i32.add (local.get $n) (i32.const 1))))
    (if (i32.ge_u (local.get $n) (i32.const 15))
      (then (local.set $out (i32.add (local.get $out)
        (i32.div_u (i32.add (local.get $n) (i32.const 240)) (i32.const 255))))))
    (local.get $out)))
