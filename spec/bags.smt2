; Bags keep their sums: what the contracts of `put` and `join_discard_pile` say of the cards of each kind and of the
; total, which they count alike, leaves each total the sum of the cards, if it was.  With spec/preserved.c, by which
; bags change in no other way, all positions that a game leads to have bags that are what they count.
; Each check must be unsatisfiable: z3 spec/bags.smt2

(define-fun-rec cards ((of (Array Int Int)) (kinds Int)) Int
  (ite (<= kinds 0) 0 (+ (select of (- kinds 1)) (cards of (- kinds 1)))))
(declare-const of (Array Int Int))
(declare-const other (Array Int Int))
(declare-const character Int)
(declare-const count Int)
(assert (and (<= 0 character) (< character 31)))

(push) ; a bag holds more of a kind, or less
(assert (not (= (cards (store of character (+ (select of character) count)) 31) (+ (cards of 31) count))))
(check-sat)
(pop)

(push) ; a pile joins another
(assert (not (= (cards ((_ map (+ (Int Int) Int)) of other) 31) (+ (cards of 31) (cards other 31)))))
(check-sat)
(pop)
