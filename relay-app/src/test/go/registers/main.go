// Command registers checks with Porcupine whether histories of registers are linearizable.
//
// A register is a replaceable event: a write stores a version, unless a newer one is stored, and a
// read returns the newest version. Standard input has an operation in each line, as in
//
//	{"history":"all","register":"7","client":1,"call":5,"return":9,"write":{"time":3,"id":"ab"},"outcome":"stored"}
//	{"history":"all","register":"7","client":2,"call":6,"return":8,"read":{"time":3,"id":"ab"}}
//
// Each register of each history is checked by itself. Call and return are in nanoseconds; without a
// return, the operation may take effect at any time after the call, or never. A read without a
// version has found none: {"time":0,"id":""}. Outcomes of a write are stored, superseded and unknown.
//
// Standard output has a line for each register that is not linearizable, and a summary. Exit
// status: 0 if all are linearizable, 1 if one is not, 2 if one could not be checked in time.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

const timeoutOfRegister = 30 * time.Second

// version is a version of a replaceable event; without an id, there is none.
type version struct {
	Time int64  `json:"time"`
	ID   string `json:"id"`
}

// isNewerThan compares as NIP-01 does: the later one, and of equally old ones that with the lowest id.
func (v version) isNewerThan(other version) bool {
	if other.ID == "" {
		return v.ID != ""
	}
	return v.Time > other.Time || (v.Time == other.Time && v.ID < other.ID)
}

type operation struct {
	History  string   `json:"history"`
	Register string   `json:"register"`
	Client   int      `json:"client"`
	Call     int64    `json:"call"`
	Return   *int64   `json:"return"`
	Write    *version `json:"write"`
	Outcome  string   `json:"outcome"`
	Read     *version `json:"read"`
}

// model says what a register does. An operation is its own input; it needs no output.
var model = porcupine.Model{
	Init: func() interface{} { return version{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		stored, op := state.(version), input.(operation)
		if op.Write == nil {
			return stored == *op.Read, stored
		}
		isNewer := op.Write.isNewerThan(stored)
		switch {
		case op.Outcome == "stored" && !isNewer, op.Outcome == "superseded" && isNewer:
			return false, stored
		case isNewer:
			return true, *op.Write
		default:
			return true, stored
		}
	},
	DescribeOperation: func(input, _ interface{}) string {
		op := input.(operation)
		if op.Write == nil {
			return fmt.Sprintf("read %d %.8s", op.Read.Time, op.Read.ID)
		}
		return fmt.Sprintf("write %d %.8s: %s", op.Write.Time, op.Write.ID, op.Outcome)
	},
}

func main() {
	registers := map[string][]porcupine.Operation{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var op operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil || (op.Write == nil) == (op.Read == nil) {
			fmt.Println("not an operation:", lines.Text(), err)
			os.Exit(2)
		}
		end := int64(math.MaxInt64)
		if op.Return != nil {
			end = *op.Return
		}
		name := op.History + "/" + op.Register
		registers[name] = append(registers[name],
			porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Call, Return: end})
	}
	if err := lines.Err(); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	names := make([]string, 0, len(registers))
	for name := range registers {
		names = append(names, name)
	}
	sort.Strings(names)
	status, count := 0, 0
	for _, name := range names {
		count += len(registers[name])
		switch porcupine.CheckOperationsTimeout(model, registers[name], timeoutOfRegister) {
		case porcupine.Illegal:
			fmt.Println("not linearizable:", name)
			for _, op := range registers[name] {
				fmt.Println(" ", op.ClientId, op.Call, op.Return, model.DescribeOperation(op.Input, nil))
			}
			status = 1
		case porcupine.Unknown:
			fmt.Println("not checked in time:", name)
			if status == 0 {
				status = 2
			}
		}
	}
	fmt.Printf("%d operations on %d registers\n", count, len(registers))
	os.Exit(status)
}
